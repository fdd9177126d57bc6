// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.stored.Lookup;

/** Receives the application's misses, and invalid stored bytes, on the caller's thread. Must not throw. */
public interface EntryObserver {
    EntryObserver NONE = new EntryObserver() {
        @Override
        public void onUnreadable(Lookup.Outcome outcome) {}

        @Override
        public void onUndecodable(String codec) {}
    };

    void onUnreadable(Lookup.Outcome outcome);

    /** Called if the codec cannot decode the payload of a valid envelope. */
    void onUndecodable(String codec);

    default void onMissed(MissCause cause) {}
}
