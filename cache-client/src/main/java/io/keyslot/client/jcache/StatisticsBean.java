// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.CacheCounters;
import javax.cache.management.CacheStatisticsMXBean;

/** The statistics of a cache as an MXBean. */
public final class StatisticsBean implements CacheStatisticsMXBean {
    private final CacheCounters counters;

    public StatisticsBean(CacheCounters counters) {
        this.counters = counters;
    }

    @Override
    public void clear() {
        counters.clear();
    }

    @Override
    public long getCacheHits() {
        return counters.hits();
    }

    @Override
    public float getCacheHitPercentage() {
        return percentage(getCacheHits());
    }

    @Override
    public long getCacheMisses() {
        return counters.misses();
    }

    @Override
    public float getCacheMissPercentage() {
        return percentage(getCacheMisses());
    }

    private float percentage(long part) {
        long gets = getCacheGets();
        return gets == 0 ? 0 : 100f * part / gets;
    }

    @Override
    public long getCacheGets() {
        return getCacheHits() + getCacheMisses();
    }

    @Override
    public long getCachePuts() {
        return counters.puts();
    }

    @Override
    public long getCacheRemovals() {
        return counters.removals();
    }

    /** Returns 0: partitions do not report for which cache they evict. */
    @Override
    public long getCacheEvictions() {
        return 0;
    }

    @Override
    public float getAverageGetTime() {
        return counters.averageGetMicros();
    }

    @Override
    public float getAveragePutTime() {
        return counters.averagePutMicros();
    }

    @Override
    public float getAverageRemoveTime() {
        return counters.averageRemoveMicros();
    }
}
