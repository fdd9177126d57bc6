// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.Lookup;

/** Hears of stored bytes that could not be served as an entry. Called on the caller's thread; must not throw. */
public interface EntryObserver {
    /** The envelope was not that of a valid entry. */
    void onUnreadable(Lookup.Outcome outcome);

    /** The envelope was valid, and the codec could not read the payload. */
    void onUndecodable(String codec);
}
