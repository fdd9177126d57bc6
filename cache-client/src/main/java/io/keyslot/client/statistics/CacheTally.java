// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.statistics;

import io.keyslot.cache.MissCause;
import io.keyslot.client.traffic.CacheTraffic;
import io.keyslot.client.traffic.NearTraffic;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of one cache, and how much of it was told already. What reads find is counted elsewhere, and only looked at;
 * misses and loads, which are slow, are counted here. Safe for use by several threads, of which one at a time asks for news.
 */
final class CacheTally {
    private final String cache;
    private final Map<MissCause, LongAdder> causes = new EnumMap<>(MissCause.class); // all of them, from the start
    private final LongAdder loads = new LongAdder();
    private final LongAdder failedLoads = new LongAdder();
    private volatile @Nullable CacheCounts counts;
    private volatile @Nullable NearCounts near;
    private final Map<MissCause, Long> toldCauses =
            new EnumMap<>(MissCause.class); // this and what follows: of who asks
    private long toldHits;
    private long toldMisses;
    private long toldLoads;
    private long toldFailed;
    private long toldNearHits;
    private long toldNearMisses;

    CacheTally(String cache) {
        this.cache = cache;
        for (MissCause cause : MissCause.values()) {
            causes.put(cause, new LongAdder());
        }
    }

    void show(CacheCounts shown) {
        counts = shown;
    }

    void show(NearCounts shown) {
        near = shown;
    }

    void missed(MissCause cause) {
        LongAdder count = causes.get(cause);
        if (count != null) {
            count.increment();
        }
    }

    void loaded(boolean succeeded) {
        loads.increment();
        if (!succeeded) {
            failedLoads.increment();
        }
    }

    /** Returns what has happened since the last call. */
    CacheTraffic news() {
        CacheCounts seen = counts;
        long hits = seen == null ? 0 : seen.hits();
        long misses = seen == null ? 0 : seen.misses();
        long failed = failedLoads.sum(); // first: of what is counted meanwhile, the load is there and not its failure
        long loaded = Math.max(loads.sum(), toldLoads + failed - toldFailed);
        CacheTraffic news = new CacheTraffic(
                cache,
                hits - toldHits,
                misses - toldMisses,
                newCauses(),
                loaded - toldLoads,
                failed - toldFailed,
                nearNews());
        toldHits = hits;
        toldMisses = misses;
        toldLoads = loaded;
        toldFailed = failed;
        return news;
    }

    private Map<MissCause, Long> newCauses() {
        Map<MissCause, Long> found = new EnumMap<>(MissCause.class);
        causes.forEach((cause, count) -> {
            long now = count.sum();
            Long before = toldCauses.put(cause, now);
            long more = now - (before == null ? 0 : before);
            if (more > 0) {
                found.put(cause, more);
            }
        });
        return found;
    }

    private @Nullable NearTraffic nearNews() {
        NearCounts seen = near;
        if (seen == null) {
            return null;
        }
        long hits = seen.hits();
        long misses = seen.misses();
        NearTraffic news = new NearTraffic(
                hits - toldNearHits, misses - toldNearMisses, Math.max(0, seen.entries()), seen.staleMillis());
        toldNearHits = hits;
        toldNearMisses = misses;
        return news;
    }
}
