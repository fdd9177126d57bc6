// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of latencies: exact below 64 ns, within 1/64 above, up to an hour. Safe for use by several threads; a
 * percentile that is read during updates is that of some moment.
 */
public final class LatencyHistogram {
    private static final int SUB_BUCKET_BITS = 6;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;
    private static final long LONGEST_NANOS = (1L << 42) - 1;

    private final AtomicLongArray counts = new AtomicLongArray(bucketOf(LONGEST_NANOS) + 1);

    /** Records a call; one that took longer than 73 minutes counts as that. */
    public void record(long nanos) {
        counts.incrementAndGet(bucketOf(Math.max(0, Math.min(nanos, LONGEST_NANOS))));
    }

    public void add(LatencyHistogram other) {
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            counts.addAndGet(bucket, other.counts.get(bucket));
        }
    }

    /** Returns and resets the counts of the buckets that are not empty. Calls recorded meanwhile are in this or the next result. */
    public Map<Integer, Long> take() {
        Map<Integer, Long> taken = new TreeMap<>();
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            long count = counts.get(bucket) == 0 ? 0 : counts.getAndSet(bucket, 0);
            if (count > 0) {
                taken.put(bucket, count);
            }
        }
        return taken;
    }

    /** Adds counts of {@link #take}, possibly of another process; ignores what is not a bucket. */
    public void add(Map<Integer, Long> taken) {
        taken.forEach((bucket, count) -> {
            if (bucket >= 0 && bucket < counts.length() && count > 0) {
                counts.addAndGet(bucket, count);
            }
        });
    }

    public void clear() {
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            counts.set(bucket, 0);
        }
    }

    public long count() {
        long count = 0;
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            count += counts.get(bucket);
        }
        return count;
    }

    /** Returns the percentile of a part, more than 0 and at most 1, in nanoseconds; 0 if there were no calls. */
    public long percentile(double part) {
        long wanted = (long) Math.ceil(part * count());
        long seen = 0;
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            seen += counts.get(bucket);
            if (seen >= wanted && seen > 0) {
                return endOf(bucket);
            }
        }
        return 0;
    }

    /** Returns the maximum in nanoseconds; 0 if there were no calls. */
    public long longest() {
        return percentile(1);
    }

    // The first 64 buckets hold one number each. Each further 64 share a power of two, selected by the six bits below
    // the highest one.
    private static int bucketOf(long nanos) {
        if (nanos < SUB_BUCKETS) {
            return (int) nanos;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - SUB_BUCKET_BITS;
        return SUB_BUCKETS * shift + (int) (nanos >>> shift);
    }

    private static long endOf(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        long first = (long) (bucket - SUB_BUCKETS * shift) << shift;
        return first + (1L << shift) - 1;
    }
}
