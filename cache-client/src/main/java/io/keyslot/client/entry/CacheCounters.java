// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import java.util.concurrent.atomic.LongAdder;

/**
 * The statistics of one cache in this process. JCache statistics count only while enabled, and can be reset; the counts
 * for the meters always count and never decrease. Thread-safe.
 */
public class CacheCounters {
    private final Counts statistics = new Counts();
    private final Counts meters = new Counts();
    private final LongAdder getNanos = new LongAdder();
    private final LongAdder putNanos = new LongAdder();
    private final LongAdder removeNanos = new LongAdder();
    private volatile boolean enabled;

    public CacheCounters(boolean enabled) {
        this.enabled = enabled;
    }

    public void enable(boolean wanted) {
        enabled = wanted;
    }

    /** Returns whether the durations of operations are needed. */
    public boolean isTimed() {
        return enabled;
    }

    public CacheCounts meters() {
        return meters;
    }

    public void hits(long count) {
        add(statistics.hits, meters.hits, count);
    }

    public void misses(long count) {
        add(statistics.misses, meters.misses, count);
    }

    public void lookup(boolean hit) {
        if (hit) {
            hits(1);
        } else {
            misses(1);
        }
    }

    public void puts(long count) {
        add(statistics.puts, meters.puts, count);
    }

    public void removals(long count) {
        add(statistics.removals, meters.removals, count);
    }

    private void add(LongAdder statistic, LongAdder meter, long count) {
        if (count > 0) {
            meter.add(count);
            if (enabled) {
                statistic.add(count);
            }
        }
    }

    public void getTook(long nanos) {
        took(getNanos, nanos);
    }

    public void putTook(long nanos) {
        took(putNanos, nanos);
    }

    public void removeTook(long nanos) {
        took(removeNanos, nanos);
    }

    private void took(LongAdder total, long nanos) {
        if (enabled) {
            total.add(nanos);
        }
    }

    public long hits() {
        return statistics.hits();
    }

    public long misses() {
        return statistics.misses();
    }

    public long puts() {
        return statistics.puts();
    }

    public long removals() {
        return statistics.removals();
    }

    public float averageGetMicros() {
        return averageMicros(getNanos, hits() + misses());
    }

    public float averagePutMicros() {
        return averageMicros(putNanos, puts());
    }

    public float averageRemoveMicros() {
        return averageMicros(removeNanos, removals());
    }

    private static float averageMicros(LongAdder nanos, long count) {
        return count == 0 ? 0 : nanos.sum() / 1000f / count;
    }

    public void clear() {
        statistics.clear();
        getNanos.reset();
        putNanos.reset();
        removeNanos.reset();
    }

    private static final class Counts implements CacheCounts {
        private final LongAdder hits = new LongAdder();
        private final LongAdder misses = new LongAdder();
        private final LongAdder puts = new LongAdder();
        private final LongAdder removals = new LongAdder();

        @Override
        public long hits() {
            return hits.sum();
        }

        @Override
        public long misses() {
            return misses.sum();
        }

        @Override
        public long puts() {
            return puts.sum();
        }

        @Override
        public long removals() {
            return removals.sum();
        }

        private void clear() {
            hits.reset();
            misses.reset();
            puts.reset();
            removals.reset();
        }
    }
}
