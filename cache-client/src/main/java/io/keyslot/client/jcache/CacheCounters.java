// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.metrics.CacheCounts;
import java.util.concurrent.atomic.LongAdder;

/**
 * The statistics of one cache in this process: what its own callers did. They count while statistics or meters are on. Safe for use by
 * several threads.
 */
final class CacheCounters implements CacheCounts {
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder getNanos = new LongAdder();
    private final LongAdder putNanos = new LongAdder();
    private final LongAdder removeNanos = new LongAdder();
    private final boolean metered;
    private volatile boolean enabled;

    /**
     * Creates counters at zero.
     *
     * @param enabled whether JCache's statistics are on
     * @param metered whether meters show the counts, so that they count even without JCache's statistics
     */
    CacheCounters(boolean enabled, boolean metered) {
        this.enabled = enabled;
        this.metered = metered;
    }

    void enable(boolean wanted) {
        enabled = wanted;
    }

    void hits(long count) {
        add(hits, count);
    }

    void misses(long count) {
        add(misses, count);
    }

    /** Counts a hit, or a miss. */
    void lookup(boolean hit) {
        add(hit ? hits : misses, 1);
    }

    void puts(long count) {
        add(puts, count);
    }

    void removals(long count) {
        add(removals, count);
    }

    void getTook(long nanos) {
        add(getNanos, nanos);
    }

    void putTook(long nanos) {
        add(putNanos, nanos);
    }

    void removeTook(long nanos) {
        add(removeNanos, nanos);
    }

    private void add(LongAdder counter, long amount) {
        if ((enabled || metered) && amount > 0) {
            counter.add(amount);
        }
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
    public long puts() {
        return puts.sum();
    }

    @Override
    public long removals() {
        return removals.sum();
    }

    float averageGetMicros() {
        return averageMicros(getNanos, hits() + misses());
    }

    float averagePutMicros() {
        return averageMicros(putNanos, puts());
    }

    float averageRemoveMicros() {
        return averageMicros(removeNanos, removals());
    }

    private static float averageMicros(LongAdder nanos, long count) {
        return count == 0 ? 0 : nanos.sum() / 1000f / count;
    }

    void clear() {
        for (LongAdder counter : new LongAdder[] {hits, misses, puts, removals, getNanos, putNanos, removeNanos}) {
            counter.reset();
        }
    }
}
