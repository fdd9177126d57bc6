// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.FailSafeObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the failures that callers do not see, at most once a minute for each operation of a cache. */
public final class ForgivenLog implements FailSafeObserver {
    private static final Logger LOG = LoggerFactory.getLogger(ForgivenLog.class);

    private final String cacheName;
    private final LogPace pace;
    private final FailSafeObserver next;

    public ForgivenLog(String cacheName, Ticker ticker, FailSafeObserver next) {
        this.cacheName = cacheName;
        this.pace = new LogPace(ticker);
        this.next = next;
    }

    /** The state of the partition is in the log already. */
    @Override
    public void onJournaled() {
        next.onJournaled();
    }

    @Override
    public void onForgiven(String operation, RuntimeException failure) {
        if (pace.permits(operation)) {
            LOG.warn("Cache {}: {} failed, and its caller goes on without the cache", cacheName, operation, failure);
        }
        next.onForgiven(operation, failure);
    }
}
