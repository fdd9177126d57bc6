// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.call;

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
}
