// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.util.Arrays;
import java.util.stream.LongStream;

/** How old what was read was: counted by size, within 7 percent. Not safe for use by several threads. */
final class Ages {
    /** Each doubling is divided into 16. */
    private static final int BITS = 4;

    private final long[] counts = new long[Long.SIZE << BITS];
    private long longest;

    void add(long nanos) {
        counts[index(nanos)]++;
        longest = Math.max(longest, nanos);
    }

    void add(Ages others) {
        Arrays.setAll(counts, index -> counts[index] + others.counts[index]);
        longest = Math.max(longest, others.longest);
    }

    long count() {
        return LongStream.of(counts).sum();
    }

    long longest() {
        return longest;
    }

    /** Returns what this share of all does not exceed. */
    long percentile(double share) {
        long left = (long) Math.ceil(share * count());
        for (int index = 0; index < counts.length; index++) {
            left -= counts[index];
            if (left <= 0) {
                return Math.min(longest, upperEnd(index));
            }
        }
        return longest;
    }

    private static int index(long nanos) {
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - BITS - 1);
        return (shift << BITS) + (int) (nanos >> shift);
    }

    private static long upperEnd(int index) {
        int shift = Math.max(0, (index >> BITS) - 1);
        return ((long) (index - (shift << BITS) + 1) << shift) - 1;
    }

    String toLine() {
        return "reads %d p50 %.3f p99 %.3f p99.9 %.3f longest %.3f ms"
                .formatted(count(), millis(0.5), millis(0.99), millis(0.999), longest / 1e6);
    }

    private double millis(double share) {
        return percentile(share) / 1e6;
    }
}
