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
 * Reentrant locks of the hash slots, each for several slots. A thread that holds one must not take another;
 * {@link #lockAll} takes all in order and is for threads that hold none.
 */
final class SlotLocks {
    /** Enough for little contention, few enough to take all of them. */
    private static final int STRIPES = 256;

    private final List<Lock> stripes =
            Stream.<Lock>generate(ReentrantLock::new).limit(STRIPES).toList();

    Lock of(int slot) {
        return stripes.get(slot % STRIPES);
    }

    /** Returns the distinct locks of some keys, in the order in which a thread without locks must take them. */
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
