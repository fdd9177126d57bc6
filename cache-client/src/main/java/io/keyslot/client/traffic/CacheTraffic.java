// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import io.keyslot.cache.MissCause;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the callers of one cache in one process have found during some time.
 *
 * @param cache the name that the cache has there
 * @param hits what {@code cache.gets} counts as hits
 * @param misses the same, as misses
 * @param causes why reads missed, {@code containsKey} among them; a cause that did not occur is left out
 * @param loads calls of the cache loader that have ended
 * @param failedLoads those of them that have failed
 * @param near of its near cache, null if it has none
 */
public record CacheTraffic(
        String cache,
        long hits,
        long misses,
        Map<MissCause, Long> causes,
        long loads,
        long failedLoads,
        @Nullable NearTraffic near) {
    public CacheTraffic {
        causes = Map.copyOf(causes);
        if (hits < 0 || misses < 0 || loads < 0 || failedLoads < 0 || failedLoads > loads) {
            throw new IllegalArgumentException(
                    "Nothing about a cache is negative, and no more loads fail than there are");
        }
        if (causes.values().stream().anyMatch(count -> count < 1)) {
            throw new IllegalArgumentException("A cause that is named has occurred");
        }
    }

    /** Returns whether nothing has happened. */
    boolean isQuiet() {
        return busy() == 0;
    }

    /** Returns how much has happened: by that, the caches that are told are chosen. */
    long busy() {
        long nearReads = near == null ? 0 : near.hits() + near.misses();
        return hits
                + misses
                + loads
                + nearReads
                + causes.values().stream().mapToLong(count -> count).sum();
    }

    void write(ReportWriter out) {
        out.write(cache);
        out.write(hits);
        out.write(misses);
        out.write(MissCause.values().length);
        for (MissCause cause : MissCause.values()) {
            out.write(causes.getOrDefault(cause, 0L));
        }
        out.write(loads);
        out.write(failedLoads);
        out.write(near == null ? 0 : 1);
        if (near != null) {
            out.write(near.hits());
            out.write(near.misses());
            out.write(near.entries());
            out.write(near.staleMillis());
        }
    }

    static CacheTraffic read(ReportReader in) {
        String cache = in.text();
        long hits = in.number();
        long misses = in.number();
        Map<MissCause, Long> causes = causes(in);
        long loads = in.number();
        long failed = in.number();
        NearTraffic near =
                in.count(1) == 0 ? null : new NearTraffic(in.number(), in.number(), in.number(), in.number());
        return new CacheTraffic(cache, hits, misses, causes, loads, failed, near);
    }

    /** A newer version may know more causes, which come after those that are known here. */
    private static Map<MissCause, Long> causes(ReportReader in) {
        Map<MissCause, Long> causes = new EnumMap<>(MissCause.class);
        MissCause[] known = MissCause.values();
        int count = in.count(Byte.MAX_VALUE);
        for (int i = 0; i < count; i++) {
            long amount = in.number();
            if (i < known.length && amount != 0) {
                causes.put(known[i], amount);
            }
        }
        return causes;
    }
}
