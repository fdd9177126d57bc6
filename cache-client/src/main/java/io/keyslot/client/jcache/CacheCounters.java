// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.partition.TrafficSampler.CacheCounts;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The JCache statistics of one cache in this process, which count only while enabled, and can be reset. The telemetry
 * and the reports to operators receive all counts. Thread-safe.
 */
final class CacheCounters {
    private final CacheTelemetry telemetry;
    private final @Nullable CacheCounts reported;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder getNanos = new LongAdder();
    private final LongAdder putNanos = new LongAdder();
    private final LongAdder removeNanos = new LongAdder();
    private volatile boolean enabled;

    /** {@code reported} is null if this client sends no reports. */
    CacheCounters(boolean enabled, CacheTelemetry telemetry, @Nullable CacheCounts reported) {
        this.enabled = enabled;
        this.telemetry = telemetry;
        this.reported = reported;
    }

    void enable(boolean wanted) {
        enabled = wanted;
    }

    /** Returns whether the durations of operations are needed. */
    boolean isTimed() {
        return enabled;
    }

    void hits(long count) {
        if (count > 0) {
            telemetry.onHits(count);
            add(hits, count);
            if (reported != null) {
                reported.hits().add(count);
            }
        }
    }

    void misses(long count) {
        if (count > 0) {
            telemetry.onMisses(count);
            add(misses, count);
            if (reported != null) {
                reported.misses().add(count);
            }
        }
    }

    void lookup(boolean hit) {
        if (hit) {
            hits(1);
        } else {
            misses(1);
        }
    }

    void puts(long count) {
        if (count > 0) {
            telemetry.onPuts(count);
            add(puts, count);
            if (reported != null) {
                reported.puts().add(count);
            }
        }
    }

    void removals(long count) {
        if (count > 0) {
            telemetry.onRemovals(count);
            add(removals, count);
            if (reported != null) {
                reported.removals().add(count);
            }
        }
    }

    void load(LoadCause cause, boolean succeeded, long nanos) {
        telemetry.onLoad(cause, succeeded, nanos);
        if (reported != null) {
            reported.loads().increment();
        }
    }

    CacheTelemetry telemetry() {
        return telemetry;
    }

    private void add(LongAdder statistic, long count) {
        if (enabled) {
            statistic.add(count);
        }
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

    long hits() {
        return hits.sum();
    }

    long misses() {
        return misses.sum();
    }

    long puts() {
        return puts.sum();
    }

    long removals() {
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
        hits.reset();
        misses.reset();
        puts.reset();
        removals.reset();
        getNanos.reset();
        putNanos.reset();
        removeNanos.reset();
    }
}
