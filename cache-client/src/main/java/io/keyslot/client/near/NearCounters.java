// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.entry.NearCounts;
import java.util.concurrent.atomic.LongAdder;

final class NearCounters implements NearCounts {
    /** A bit mask that samples one hit of 64 for its age, by the current time. */
    static final long SAMPLED = 63;

    private final NearEntries copies;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    NearCounters(NearEntries copies) {
        this.copies = copies;
    }

    void hit() {
        hits.increment();
    }

    void miss() {
        misses.increment();
    }

    @Override
    public long hits() {
        return hits.sum();
    }

    @Override
    public long misses() {
        return misses.sum();
    }

    @Override
    public long entries() {
        return copies.entries();
    }

    @Override
    public long bytes() {
        return copies.bytes();
    }
}
