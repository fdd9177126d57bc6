// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** What the statistics of one process's cache must be after what its calls have answered; some of it leaves a choice. */
final class Counted {
    /** A number of the statistics, by its JMX attribute. */
    enum Statistic {
        CacheGets,
        CacheHits,
        CacheMisses,
        CachePuts,
        CacheRemovals,
        CacheEvictions
    }

    private final Map<Statistic, Integer> least = new EnumMap<>(Statistic.class);
    private final Map<Statistic, Integer> choice = new EnumMap<>(Statistic.class);
    private boolean isKnown = true;

    /** A call that has failed may have counted something. */
    void notKnown() {
        isKnown = false;
    }

    void lookup(boolean hit) {
        add(Statistic.CacheGets, 1);
        add(hit ? Statistic.CacheHits : Statistic.CacheMisses, 1);
    }

    /** Counts a hit or a miss: the answer does not tell. */
    void lookup() {
        add(Statistic.CacheGets, 1);
        mayAdd(Statistic.CacheHits, 1);
        mayAdd(Statistic.CacheMisses, 1);
    }

    void put() {
        add(Statistic.CachePuts, 1);
    }

    void removal(boolean wasThere) {
        add(Statistic.CacheRemovals, wasThere ? 1 : 0);
    }

    void mayAdd(Statistic number, int count) {
        choice.merge(number, count, Integer::sum);
    }

    private void add(Statistic number, int count) {
        least.merge(number, count, Integer::sum);
    }

    /** Returns what is wrong with the statistics of a cache, null if nothing is. */
    @Nullable
    String problem(String manager, String cache) {
        if (!isKnown) {
            return null;
        }
        for (Statistic number : Statistic.values()) {
            long shown = shown(manager, cache, number);
            int from = least.getOrDefault(number, 0);
            int to = from + choice.getOrDefault(number, 0);
            if (shown < from || shown > to) {
                return "%s of %s is %d, must be from %d to %d".formatted(number, manager, shown, from, to);
            }
        }
        return null;
    }

    private static long shown(String manager, String cache, Statistic number) {
        try {
            ObjectName name = new ObjectName(
                    "javax.cache:type=CacheStatistics,CacheManager=%s,Cache=%s".formatted(manager, cache));
            return (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(name, number.name());
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }
}
