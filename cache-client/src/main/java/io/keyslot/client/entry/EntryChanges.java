// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;

/**
 * Receives each change of an entry by this process, on the caller's thread. Must be quick and not throw. Thread-safe.
 */
public interface EntryChanges {
    /** Called before each attempt to change an entry, whatever becomes of it. */
    default void changing(EncodedKey key) {}

    default void changing(List<EncodedKey> keys) {
        for (EncodedKey key : keys) {
            changing(key);
        }
    }

    default void clearing() {}

    /** Called after a value was stored, with its expiry if there was no entry, and if there was one. */
    default void stored(EncodedKey key, Expiry onCreation, Expiry onUpdate) {}

    /** Called after a removal, or before it. */
    default void removed(EncodedKey key) {}

    /** Called after a change whose outcome is not known. */
    default void unsettled(EncodedKey key) {}
}
