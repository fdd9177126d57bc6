// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Reports events of one partition to the log and the telemetry. Thread-safe; does not throw. */
final class PartitionReport {
    private final PartitionId partition;
    private final Telemetry telemetry;
    private final PartitionLog log;

    private final AtomicLong replayed = new AtomicLong();

    PartitionReport(PartitionId partition, Telemetry telemetry, PartitionLog log) {
        this.partition = partition;
        this.telemetry = telemetry;
        this.log = log;
    }

    void changed(Change change) {
        Health before = change.before();
        Health after = change.after();
        if (after instanceof Missing missing) {
            log.missing(missing);
        }
        if (before.state() != after.state()) {
            tell(() -> telemetry.onTransition(
                    partition, before.state(), after.state(), change.cause().name()));
        }
        if (after instanceof Healthy && before instanceof Replaying) {
            connected(after.since() - before.since(), change.isReturn());
        }
    }

    private void connected(long awayNanos, boolean again) {
        log.healthy(awayNanos, replayed.getAndSet(0));
        if (again) {
            tell(() -> telemetry.onReturn(partition, Duration.ofNanos(awayNanos)));
        }
    }

    void replayed(int deletions) {
        replayed.addAndGet(deletions);
        tell(() -> telemetry.onReplayed(partition, deletions));
    }

    void overflowed() {
        log.overflowed();
        tell(() -> telemetry.onOverflow(partition));
    }

    void clearsLater() {
        log.clearsLater();
    }

    void lost(int deletions) {
        log.deletionsLost(deletions);
    }

    private void tell(Runnable changes) {
        try {
            changes.run();
        } catch (RuntimeException e) {
            log.observerFailed(e);
        }
    }
}
