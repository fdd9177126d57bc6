// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.cache.MissCause;
import io.keyslot.client.traffic.CacheTraffic;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What clients have told of one cache: the sum over all of them, of a minute.
 *
 * @param hits reads that found an entry
 * @param misses reads that found none
 * @param causes why reads found none; what did not occur is left out
 * @param loads calls of cache loaders
 * @param failedLoads those that failed
 * @param near of near caches, null if no client has told of one
 * @param clients how many have told of the cache
 */
public record CacheUse(
        long hits,
        long misses,
        Map<MissCause, Long> causes,
        long loads,
        long failedLoads,
        @Nullable NearUse near,
        int clients) {
    public CacheUse {
        causes = Map.copyOf(causes);
    }

    /**
     * What clients have told of their near caches.
     *
     * @param hits reads that copies have answered, of a minute
     * @param entries copies, of all clients together
     * @param staleMillis the age beyond which no client serves one
     */
    public record NearUse(long hits, long entries, long staleMillis) {
        NearUse plus(@Nullable NearUse other) {
            return other == null
                    ? this
                    : new NearUse(hits + other.hits, entries + other.entries, Math.max(staleMillis, other.staleMillis));
        }
    }

    /** Returns what one client tells, as of a minute. */
    static CacheUse of(CacheTraffic told, double times) {
        Map<MissCause, Long> causes = new EnumMap<>(MissCause.class);
        told.causes().forEach((cause, count) -> causes.put(cause, Math.round(count * times)));
        return new CacheUse(
                Math.round(told.hits() * times),
                Math.round(told.misses() * times),
                causes,
                Math.round(told.loads() * times),
                Math.round(told.failedLoads() * times),
                Optional.ofNullable(told.near())
                        .map(near -> new NearUse(Math.round(near.hits() * times), near.entries(), near.staleMillis()))
                        .orElse(null),
                1);
    }

    CacheUse plus(CacheUse other) {
        Map<MissCause, Long> sums = new EnumMap<>(MissCause.class);
        sums.putAll(causes);
        other.causes.forEach((cause, count) -> sums.merge(cause, count, Long::sum));
        return new CacheUse(
                hits + other.hits,
                misses + other.misses,
                sums,
                loads + other.loads,
                failedLoads + other.failedLoads,
                near == null ? other.near : near.plus(other.near),
                clients + other.clients);
    }

    /** Returns the share of reads that found something, empty if there were none. */
    public OptionalDouble hitRatio() {
        return hits + misses == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) hits / (hits + misses));
    }
}
