// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.concurrent.CallerContext;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.FailSafeObserver;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.routing.CommandFollower;
import org.jspecify.annotations.Nullable;

/**
 * What one client gets in addition, if its calls are observed. By default nothing: then each method returns what it is given,
 * or what there is without observations. Safe for use by several threads.
 */
public interface Observations extends CallerContext {
    /** Observes nothing. */
    Observations NONE = new Observations() {};

    /** Returns the same cache, whose calls are observed. */
    default <K, V> PartitionedCache<K, V> around(PartitionedCache<K, V> cache) {
        return cache;
    }

    /** Returns the same group, whose calls are observed, and those of its handles and transactions. */
    default CacheGroup around(CacheGroup group) {
        return group;
    }

    /** Returns the cache without its observations. */
    static <K, V> PartitionedCache<K, V> within(PartitionedCache<K, V> cache) {
        return cache instanceof ObservedCache<K, V> observed ? observed.within() : cache;
    }

    /** Returns the counters of a cache, by which it is known whether a call has hit. */
    default CacheCounters counters(boolean enabled) {
        return new CacheCounters(enabled);
    }

    /** Returns the memory of a client, by which it is known why a call has missed. */
    default ReadHistory history(Ticker ticker) {
        return new ReadHistory(ticker);
    }

    /** Returns who hears of what the caller of a cache is not told. */
    default FailSafeObserver failSafe(FailSafeObserver next) {
        return next;
    }

    /** Returns who follows the commands of a client, null if nobody does. */
    default @Nullable CommandFollower commands() {
        return null;
    }
}
