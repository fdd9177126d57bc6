// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;

/**
 * Receives each change of an entry by this process, on the caller's thread. Must be quick and not throw. Thread-safe.
 */
public interface EntryChanges {
    void stored(EncodedKey key, Expiry expiry);

    /** Called after a removal, or before it. */
    void removed(EncodedKey key);

    /** Called before a removal of an entry that may not exist; {@link #unsettled} follows if it may have failed. */
    default void removing(EncodedKey key) {}

    default void unsettled(EncodedKey key) {}

    static EntryChanges both(EntryChanges first, EntryChanges second) {
        return new EntryChanges() {
            @Override
            public void stored(EncodedKey key, Expiry expiry) {
                first.stored(key, expiry);
                second.stored(key, expiry);
            }

            @Override
            public void removed(EncodedKey key) {
                first.removed(key);
                second.removed(key);
            }

            @Override
            public void removing(EncodedKey key) {
                first.removing(key);
                second.removing(key);
            }

            @Override
            public void unsettled(EncodedKey key) {
                first.unsettled(key);
                second.unsettled(key);
            }
        };
    }
}
