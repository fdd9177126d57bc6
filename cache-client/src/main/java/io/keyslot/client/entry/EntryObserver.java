// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.stored.Lookup;

/** Hears of reads of the application that found nothing, and of stored bytes that could not be served as an entry. Called on the caller's thread; must not throw. */
public interface EntryObserver {
    /** Is not interested. */
    EntryObserver NONE = new EntryObserver() {
        @Override
        public void onUnreadable(Lookup.Outcome outcome) {}

        @Override
        public void onUndecodable(String codec) {}
    };

    /** The envelope was not that of a valid entry. */
    void onUnreadable(Lookup.Outcome outcome);

    /** The envelope was valid, and the codec could not read the payload. */
    void onUndecodable(String codec);

    /** A read of the application has not found an entry. */
    default void onMissed(MissCause cause) {}
}
