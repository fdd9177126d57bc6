// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.slot.PartitionId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells the operator that a partition is missing, at most once a minute for each reason, and that it answers again, if
 * it was said to be missing.
 */
final class PartitionLog {
    private final Logger logger;
    private final PartitionId partition;
    private final String address;
    private final LogPace pace;
    private final AtomicBoolean saidMissing = new AtomicBoolean();

    PartitionLog(Logger logger, PartitionId partition, String address, Ticker ticker) {
        this.logger = logger;
        this.partition = partition;
        this.address = address;
        this.pace = new LogPace(ticker);
    }

    void missing(String why, @Nullable Throwable cause) {
        if (pace.permits(why)) {
            saidMissing.set(true);
            logger.warn("Partition {} at {} is missing: {}", partition, address, why, cause);
        }
    }

    void healthy(long awayNanos) {
        if (saidMissing.compareAndSet(true, false)) {
            logger.info(
                    "Partition {} at {} answers again, after {} ms",
                    partition,
                    address,
                    TimeUnit.NANOSECONDS.toMillis(awayNanos));
        }
    }

    void observerFailed(RuntimeException failure) {
        if (pace.permits("observer failed")) {
            logger.warn("Partition {} at {}: an observer of its state failed", partition, address, failure);
        }
    }
}
