// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.event.EventGap;

/** Hears what listeners are told of the changes of others. May be called by a thread that does I/O; must not throw. */
public interface RemoteObserver {
    /** Is not interested. */
    RemoteObserver NONE = new RemoteObserver() {
        @Override
        public void onReceived() {}

        @Override
        public void onGap(EventGap.Reason reason) {}

        @Override
        public void onDropped() {}
    };

    /** A change was told. */
    void onReceived();

    /** A gap was told. */
    void onGap(EventGap.Reason reason);

    /** A key, or an event, was dropped because too many waited. */
    void onDropped();
}
