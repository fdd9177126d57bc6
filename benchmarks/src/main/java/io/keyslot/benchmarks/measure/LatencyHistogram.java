// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import java.util.Arrays;

/**
 * How often which latency occurred, in a fixed number of counters: 64 for each doubling of the nanoseconds, so that a
 * percentile is at most 1/64 above what it was.
 *
 * <p>For use by one thread at a time; whoever hands it over sees to it that the other sees what was recorded.
 */
public final class LatencyHistogram {
    private static final int PRECISION_BITS = 6;
    private static final int PER_DOUBLING = 1 << PRECISION_BITS;
    private static final int DOUBLINGS = Long.SIZE - PRECISION_BITS;

    private final long[] counts = new long[PER_DOUBLING * DOUBLINGS];
    private long total;

    /** Counts one latency; a negative one counts as 0. */
    public void record(long nanos) {
        counts[index(Math.max(0, nanos))]++;
        total++;
    }

    private static int index(long nanos) {
        int doubling = Math.max(0, Long.SIZE - PRECISION_BITS - Long.numberOfLeadingZeros(nanos));
        // Below 64 ns there is a counter for each; above, the bits after the highest one decide.
        return doubling == 0
                ? (int) nanos
                : doubling * PER_DOUBLING + (int) ((nanos >>> (doubling - 1)) & (PER_DOUBLING - 1));
    }

    /** Returns the highest latency that is counted by this counter. */
    private static long highest(int index) {
        int doubling = index / PER_DOUBLING;
        int rest = index % PER_DOUBLING;
        return doubling == 0 ? rest : ((long) (PER_DOUBLING + rest + 1) << (doubling - 1)) - 1;
    }

    /** Adds what another histogram has counted. */
    public void add(LatencyHistogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    /** Forgets everything. */
    public void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    /** Returns how many latencies were counted. */
    public long count() {
        return total;
    }

    /**
     * Returns the latency that so many percent of all do not exceed, in nanoseconds; 0 if there are none.
     *
     * @param percent from 0 to 100
     */
    public long percentile(double percent) {
        long wanted = Math.max(1, (long) Math.ceil(percent / 100 * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return highest(i);
            }
        }
        return 0;
    }
}
