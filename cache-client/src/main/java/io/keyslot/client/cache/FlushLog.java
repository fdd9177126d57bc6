// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.cache.ChangeQueue.Settled;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.config.Counted;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs failures of write-behind. Warnings and errors have the classes of the writer's exceptions, not their messages,
 * which may quote values. Thread-safe.
 */
final class FlushLog {
    private static final int MOST_CAUSES = 5;

    private final Logger logger;
    private final String cacheName;
    private final LogPace pace;
    private int dropped;
    private String reason = "";

    FlushLog(Logger logger, String cacheName, Ticker ticker) {
        this.logger = logger;
        this.cacheName = cacheName;
        this.pace = new LogPace(ticker);
    }

    void failed(Settled<?> settled, @Nullable Throwable failure, int queued) {
        logger.debug("Cache {}: the writer failed", cacheName, failure);
        if (settled.retried() > 0 && pace.permits("retried")) {
            logger.warn(
                    "Cache {}: the writer failed with {}; {} to be written again later",
                    cacheName,
                    classesOf(failure),
                    Counted.of(queued, "change"));
        }
        if (settled.dropped() > 0) {
            addDropped(settled.dropped(), classesOf(failure));
            if (pace.permits("dropped")) {
                reportDropped();
            }
        }
    }

    private synchronized void addDropped(int count, String why) {
        dropped += count;
        reason = why;
    }

    synchronized void reportDropped() {
        if (dropped > 0) {
            logger.error(
                    "Cache {}: {} lost, for which the writer failed as often as writeBehind.attempts allows;"
                            + " the last time with {}",
                    cacheName,
                    Counted.of(dropped, "change"),
                    reason);
            dropped = 0;
        }
    }

    void lostAtClose(int count) {
        logger.error(
                "Cache {}: closed without writing {} within writeBehind.closeWait, now lost",
                cacheName,
                Counted.of(count, "change"));
    }

    void lostAfterClose() {
        logger.error(
                "Cache {}: a call that outlasted writeBehind.closeWait changed the cache; its change is lost",
                cacheName);
    }

    private static String classesOf(@Nullable Throwable failure) {
        StringJoiner classes = new StringJoiner(", caused by ");
        int causes = 0;
        for (Throwable cause = failure; cause != null && causes < MOST_CAUSES; cause = cause.getCause()) {
            classes.add(cause.getClass().getName());
            causes++;
        }
        return classes.toString();
    }
}
