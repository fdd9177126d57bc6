// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.Command;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Gives every write of this process a stamp of its own.
 *
 * <p>Stamps count up from a random 64-bit number, so two processes meet only if one starts within the other's run of
 * numbers: with a thousand processes that write a billion times each, with a probability of about 10⁻⁵ in their lives,
 * and then it matters only if both write the same key one after the other with the same stamp. Safe for use by several
 * threads.
 */
public final class StampSource {
    private final long first;
    private final AtomicLong last;

    public StampSource(RandomGenerator random) {
        first = random.nextLong();
        last = new AtomicLong(first);
    }

    /** Returns whether this source gave the stamp. */
    public boolean isOwn(long stamp) {
        long place = stamp - first;
        return place > 0 && place <= last.get() - first;
    }

    /** Returns a stamp that is not one of those that commands take for something else. */
    public long next() {
        long stamp = last.incrementAndGet();
        while (stamp == Command.ABSENT || stamp == Command.Reserve.ANY) {
            stamp = last.incrementAndGet();
        }
        return stamp;
    }
}
