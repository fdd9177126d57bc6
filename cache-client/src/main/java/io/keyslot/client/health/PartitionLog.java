// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.config.Counted;
import io.keyslot.client.health.Health.Cause;
import io.keyslot.client.health.Health.Healthy;
import io.keyslot.client.health.Health.Missing;
import io.keyslot.client.health.Health.Replaying;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reports the events of one partition to the log and the telemetry. Does not throw.
 *
 * <p>Logs that a partition is missing, once per outage and then once a minute, and that it answers again. Exceptions of
 * attempts are logged at DEBUG level. A connection shorter than {@link Healthy#LASTING} does not end an outage: a
 * server that accepts and hangs up is one long outage. Thread-safe.
 */
final class PartitionLog {
    /** A client looks for a newer map at least every six seconds. */
    private static final Duration LONGEST_TO_FOLLOW = Duration.ofSeconds(10);

    private final Logger logger;
    private final PartitionId partition;
    private final String address;
    private final Telemetry telemetry;
    private final LogPace pace;
    private final Ticker ticker;
    private final AtomicLong replayed = new AtomicLong();
    private @Nullable Long lastLine; // guarded by this
    private boolean saidMissing; // guarded by this
    private @Nullable Long healthySince; // guarded by this; null while it is missing

    PartitionLog(Logger logger, PartitionId partition, String address, Ticker ticker, Telemetry telemetry) {
        this.logger = logger;
        this.partition = partition;
        this.address = address;
        this.pace = new LogPace(ticker);
        this.ticker = ticker;
        this.telemetry = telemetry;
    }

    /** Reports a change of the health; {@code isReturn} tells whether the partition is healthy after it was missing. */
    void changed(Health before, Health after, Cause cause, boolean isReturn) {
        if (after instanceof Missing missing) {
            missing(missing);
        }
        if (before.state() != after.state()) {
            report(() -> telemetry.onTransition(partition, before.state(), after.state(), cause.name()));
        }
        if (after instanceof Healthy && before instanceof Replaying) {
            long awayNanos = after.since() - before.since();
            healthy(awayNanos, replayed.getAndSet(0));
            if (isReturn) {
                report(() -> telemetry.onReturn(partition, Duration.ofNanos(awayNanos)));
            }
        }
    }

    void replayed(int deletions) {
        replayed.addAndGet(deletions);
        report(() -> telemetry.onReplayed(partition, deletions));
    }

    private void missing(Missing now) {
        // A client that starts with an outdated configured map gets the newest one soon; that is no warning.
        if (now.isOutdated() && ticker.nanos() - now.since() < LONGEST_TO_FOLLOW.toNanos()) {
            logger.debug("Partition {} at {} waits for a newer slot map: {}", partition, address, now.problem());
            return;
        }
        if (isWorthALine()) {
            logger.warn("Partition {} at {} is missing: {}", partition, address, now.problem());
        }
        if (now.failure() != null) {
            logger.debug("Partition {} at {}: an attempt failed", partition, address, now.failure());
        }
    }

    private synchronized boolean isWorthALine() {
        long now = ticker.nanos();
        boolean newOutage = healthySince != null && now - healthySince >= Healthy.LASTING.toNanos();
        healthySince = null;
        if (!newOutage && lastLine != null && now - lastLine < LogPace.INTERVAL.toNanos()) {
            return false;
        }
        lastLine = now;
        saidMissing = true;
        return true;
    }

    private void healthy(long awayNanos, long deletions) {
        if (endsWhatWasSaid()) {
            logger.info(
                    "Partition {} at {} answers again, after {} ms{}",
                    partition,
                    address,
                    TimeUnit.NANOSECONDS.toMillis(awayNanos),
                    deletions == 0 ? "" : "; deletions done first: " + deletions);
        }
    }

    private synchronized boolean endsWhatWasSaid() {
        healthySince = ticker.nanos();
        boolean said = saidMissing;
        saidMissing = false;
        return said;
    }

    void overflowed() {
        if (pace.permits("overflow")) {
            logger.warn(
                    "Partition {} at {}: more than {} deletions wait; instead, everything that it has stored is given up",
                    partition,
                    address,
                    PendingDeletes.MOST_KEYS);
        }
        report(() -> telemetry.onOverflow(partition));
    }

    void clearsLater() {
        if (pace.permits("clears later")) {
            logger.warn(
                    "Partition {} at {}: a cache could not be cleared there at once; its entries are removed in the background, and are misses in this process until then",
                    partition,
                    address);
        }
    }

    void deletionsLost(int count) {
        if (pace.permits("deletions lost")) {
            logger.warn(
                    "Partition {} at {} is closed without {}: it may serve outdated values to others",
                    partition,
                    address,
                    Counted.of(count, "pending deletion"));
        }
    }

    private void report(Runnable changes) {
        try {
            changes.run();
        } catch (RuntimeException e) {
            if (pace.permits("observer failed")) {
                logger.warn("Partition {} at {}: an observer of its state failed", partition, address, e);
            }
        }
    }
}
