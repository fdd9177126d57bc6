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
 * The hooks with which the calls of one client are observed. By default, each method returns its argument, or the
 * unobserved object. Safe for use by several threads.
 */
public interface Observations extends CallerContext {
    Observations NONE = new Observations() {};

    default <K, V> PartitionedCache<K, V> around(PartitionedCache<K, V> cache) {
        return cache;
    }

    /** Returns the group with observed calls, also of its handles and transactions. */
    default CacheGroup around(CacheGroup group) {
        return group;
    }

    static <K, V> PartitionedCache<K, V> within(PartitionedCache<K, V> cache) {
        return cache instanceof ObservedCache<K, V> observed ? observed.within() : cache;
    }

    /** Returns the counters of a cache, which show whether a call was a hit. */
    default CacheCounters counters(boolean enabled) {
        return new CacheCounters(enabled);
    }

    /** Returns the read history of a client, which shows why a call was a miss. */
    default ReadHistory history(Ticker ticker) {
        return new ReadHistory(ticker);
    }

    /** Returns the observer of failures that callers do not see. */
    default FailSafeObserver failSafe(FailSafeObserver next) {
        return next;
    }

    /** Returns the follower of commands, null if they are not observed. */
    default @Nullable CommandFollower commands() {
        return null;
    }
}
