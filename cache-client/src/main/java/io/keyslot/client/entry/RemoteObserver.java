// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.event.EventGap;

/** Receives what listeners receive about changes of other processes. May be called by an I/O thread; must not throw. */
public interface RemoteObserver {
    RemoteObserver NONE = new RemoteObserver() {
        @Override
        public void onReceived() {}

        @Override
        public void onGap(EventGap.Reason reason) {}

        @Override
        public void onDropped() {}
    };

    void onReceived();

    void onGap(EventGap.Reason reason);

    /** Called if a key or an event was dropped because of a full queue. */
    void onDropped();
}
