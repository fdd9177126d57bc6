// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Locks of the hash slots, some slots to each. Who holds one may take it again, but no other one: {@link #lockAll} takes
 * them in their order and is for those who hold none.
 */
final class SlotLocks {
    /** The number of locks: enough for threads to meet rarely, few enough to take all of them. */
    private static final int STRIPES = 256;

    private final List<Lock> stripes =
            Stream.<Lock>generate(ReentrantLock::new).limit(STRIPES).toList();

    Lock of(int slot) {
        return stripes.get(slot % STRIPES);
    }

    /** Returns the locks of the slots of some keys, each once, in the order in which they are to be taken by who holds none. */
    List<Lock> of(List<EncodedKey> keys) {
        BitSet needed = new BitSet(STRIPES);
        keys.forEach(key -> needed.set(key.slot() % STRIPES));
        List<Lock> locks = new ArrayList<>(needed.cardinality());
        for (int stripe = needed.nextSetBit(0); stripe >= 0; stripe = needed.nextSetBit(stripe + 1)) {
            locks.add(stripes.get(stripe));
        }
        return locks;
    }

    void lockAll() {
        stripes.forEach(Lock::lock);
    }

    void unlockAll() {
        stripes.forEach(Lock::unlock);
    }
}
