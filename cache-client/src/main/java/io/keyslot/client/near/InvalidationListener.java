// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.event.EventGap;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;

/**
 * A cache that receives the changes of its keys. Called concurrently, by I/O threads and by threads that change stored
 * data: it must be short, must not block or send commands, and must not call application code.
 */
interface InvalidationListener {
    String prefix();

    boolean isOf(EncodedKey key);

    /** A partition reports a change of a key, possibly by this process. */
    void invalidated(PartitionId by, EncodedKey key);

    void missed(EventGap gap);

    /**
     * All changes before the last call but one have been reported or counted as missed. So state kept for an echo may
     * be dropped after the second call from now.
     */
    void passed();

    /** This process is about to remove the key without publishing it. */
    void clearedHere(EncodedKey key);

    /** This process has stored something under the key, or does not know the outcome of its change. */
    void changedHere(EncodedKey key);
}
