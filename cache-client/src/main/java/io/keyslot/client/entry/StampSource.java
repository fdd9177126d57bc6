// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.Command;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Creates a unique stamp for every write of this process. Thread-safe.
 *
 * <p>Stamps count up from a random 64-bit number, so two processes collide only if one starts within the other's range.
 * With a thousand processes that write a billion times each, the probability is about 10⁻⁵, and a collision matters
 * only if both write the same key in succession with the same stamp.
 */
public final class StampSource {
    private final long first;
    private final AtomicLong last;

    public StampSource(RandomGenerator random) {
        first = random.nextLong();
        last = new AtomicLong(first);
    }

    public boolean isOwn(long stamp) {
        long place = stamp - first;
        return place > 0 && place <= last.get() - first;
    }

    /** Returns the next stamp, skipping values with a special meaning in commands. */
    public long next() {
        long stamp = last.incrementAndGet();
        while (stamp == Command.ABSENT || stamp == Command.Reserve.ANY) {
            stamp = last.incrementAndGet();
        }
        return stamp;
    }
}
