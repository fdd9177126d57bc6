// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.statistics;

import io.keyslot.cache.MissCause;
import io.keyslot.client.traffic.CacheTraffic;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is counted of the caches of a manager, for those who are told by reports. Safe for use by several threads. */
public final class CacheTallies {
    private final Map<String, CacheTally> tallies = new ConcurrentHashMap<>();

    private CacheTally of(String cache) {
        return tallies.computeIfAbsent(cache, CacheTally::new);
    }

    /** Has what callers of a cache find looked at. */
    public void show(String cache, CacheCounts counts) {
        of(cache).show(counts);
    }

    /** Has the near cache of a cache looked at. */
    public void show(String cache, NearCounts counts) {
        of(cache).show(counts);
    }

    /** Returns who counts the misses of a cache. */
    public MissCounter misses(String cache) {
        return of(cache)::missed;
    }

    /** Returns who counts the loads of a cache, and tells them to another one. */
    public LoadObserver loads(String cache, LoadObserver next) {
        return new TalliedLoads(of(cache), next);
    }

    /** Forgets a cache that is closed; what was not told yet is told to nobody. */
    public void remove(String cache) {
        tallies.remove(cache);
    }

    /** Returns what has happened in each cache since the last call. One thread at a time may ask. */
    public List<CacheTraffic> news() {
        return tallies.values().stream().map(CacheTally::news).toList();
    }

    /** Counts misses. */
    @FunctionalInterface
    public interface MissCounter {
        void missed(MissCause cause);
    }

    private record TalliedLoads(CacheTally tally, LoadObserver next) implements LoadObserver {
        @Override
        public Loading begin(LoadCause cause) {
            return next.begin(cause);
        }

        @Override
        public void onLoad(LoadCause cause, boolean succeeded, long nanos) {
            tally.loaded(succeeded);
            next.onLoad(cause, succeeded, nanos);
        }

        @Override
        public void onRejected(LoadCause cause) {
            next.onRejected(cause);
        }

        @Override
        public void onStale(LoadCause instead) {
            next.onStale(instead);
        }
    }
}
