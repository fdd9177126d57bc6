// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded.store;

import java.util.Collection;
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

    /** Returns the locks of some slots, in the order in which they are to be taken by who holds none. */
    List<Lock> of(Collection<Integer> slots) {
        return slots.stream()
                .map(slot -> slot % STRIPES)
                .distinct()
                .sorted()
                .map(stripes::get)
                .toList();
    }

    void lockAll() {
        stripes.forEach(Lock::lock);
    }

    void unlockAll() {
        stripes.forEach(Lock::unlock);
    }
}
