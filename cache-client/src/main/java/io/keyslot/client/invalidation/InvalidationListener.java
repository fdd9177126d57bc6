// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;

/**
 * One cache that hears of changes of its keys. Called by threads that do I/O, or change what is stored, several at a time: it must
 * be short, must not block, must not send anything, and must not call the application's code.
 */
interface InvalidationListener {
    /** Returns what the keys of the cache begin with, and no others. */
    String prefix();

    /** Returns whether the key begins so. */
    boolean isOf(EncodedKey key);

    /** A partition says that something has changed under a key. Nothing says whose change it was. */
    void told(PartitionId by, EncodedKey key);

    /** Some changes were perhaps not told. */
    void missed(EventGap gap);

    /**
     * All that was changed before a moment has been told, or missed: that of the last call but one. So what had to be remembered
     * until an echo may be forgotten after the second call from now.
     */
    void passed();

    /** This process is about to remove what is under the key, and tells nobody. */
    void clearedHere(EncodedKey key);

    /** This process has stored something under the key, or does not know what became of its change. */
    void changedHere(EncodedKey key);
}
