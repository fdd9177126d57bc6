// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.statistics.LoadCause;
import io.keyslot.client.statistics.LoadObserver;
import io.keyslot.client.time.Ticker;
import java.util.Set;
import java.util.function.Supplier;

/** Calls of the application's loader, counted and measured, and what a missing partition causes within its bound. */
public final class BoundedCalls {
    private final String cacheName;
    private final LoaderCalls calls;
    private final Bulkhead bulkhead;
    private final LoadObserver observer;
    private final Ticker ticker;

    /** @param bulkhead bounds the loads that a missing partition causes */
    public BoundedCalls(String cacheName, LoaderCalls calls, Bulkhead bulkhead, LoadObserver observer, Ticker ticker) {
        this.cacheName = cacheName;
        this.calls = calls;
        this.bulkhead = bulkhead;
        this.observer = observer;
        this.ticker = ticker;
    }

    LoaderCalls calls() {
        return calls;
    }

    LoadObserver observer() {
        return observer;
    }

    /**
     * Calls the loader.
     *
     * @param keys what it loads
     * @throws CacheOverloadedException if there is no room for the call
     */
    <T> T call(Set<?> keys, LoadCause cause, Supplier<T> loader) {
        if (cause != LoadCause.MISSING_PARTITION) {
            return measured(keys, cause, loader);
        }
        if (!bulkhead.enter()) {
            observer.onRejected(cause);
            throw new CacheOverloadedException(
                    ("Cache %s: nothing was loaded, as %d loads for a missing partition are under way;"
                                    + " repeat the call later, or raise loading.bulkhead")
                            .formatted(cacheName, bulkhead.most()));
        }
        try {
            return measured(keys, cause, loader);
        } finally {
            bulkhead.leave();
        }
    }

    private <T> T measured(Set<?> keys, LoadCause cause, Supplier<T> loader) {
        long start = ticker.nanos();
        Outcome outcome = Outcome.FAILED;
        try {
            T answer = calls.call(keys, loader);
            outcome = Outcome.LOADED;
            return answer;
        } catch (CacheOverloadedException e) {
            outcome = Outcome.REJECTED; // what the loader throws comes as a CacheLoaderException
            throw e;
        } finally {
            if (outcome == Outcome.REJECTED) {
                observer.onRejected(cause);
            } else {
                observer.onLoad(cause, outcome == Outcome.LOADED, ticker.nanos() - start);
            }
        }
    }

    private enum Outcome {
        LOADED,
        FAILED,
        REJECTED
    }
}
