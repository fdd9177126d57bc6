// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;

/**
 * Who wants to know which entries this process has changed, whatever way they were changed. Called on the caller's thread,
 * after the change, or before a removal: it must be quick and must not throw. Safe for use by several threads.
 */
public interface EntryChanges {
    /** The entry was stored, and expires then. */
    void stored(EncodedKey key, Expiry expiry);

    /** The entry was removed, or is about to be. */
    void removed(EncodedKey key);

    /** The entry will be removed, and nobody looks whether there is one; or {@link #unsettled} says that it was perhaps not. */
    default void removing(EncodedKey key) {}

    /** It is not known whether the entry was changed that was to be removed. */
    default void unsettled(EncodedKey key) {}

    /** Returns who tells two of them. */
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
