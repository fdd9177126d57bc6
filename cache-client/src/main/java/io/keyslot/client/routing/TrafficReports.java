// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Regularly sends each partition a report of how this client uses its slots and its caches, for operators. Calls do not wait for
 * it, and a refused or lost report is dropped. A partition whose user lacks the right gets only one.
 */
public final class TrafficReports implements AutoCloseable {
    /** Prevents clients that start at the same time from reporting at the same time. */
    private static final double SPREAD = 0.2;

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(TrafficReports.class);

    private final PartitionRouter router;
    private final TrafficSampler sampler;
    private final Timing timing;
    private final long everyNanos;
    private final String client;
    private final Set<PartitionId> forbidding = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;
    private long sinceNanos; // used only by the timer, one run at a time

    /**
     * Creates an instance that does nothing before {@link #start}; {@code every} is the approximate interval of
     * reports.
     */
    public TrafficReports(PartitionRouter router, TrafficSampler sampler, Timing timing, Duration every) {
        this.router = router;
        this.sampler = sampler;
        this.timing = timing;
        this.everyNanos = every.toNanos();
        this.client = "%016x".formatted(timing.random().nextLong());
        this.sinceNanos = timing.ticker().nanos();
    }

    public void start() {
        long delay =
                (long) (everyNanos * (1 - SPREAD + 2 * SPREAD * timing.random().nextDouble()));
        if (!isClosed) {
            var unused = timing.schedule(this::report, delay);
        }
    }

    private void report() {
        if (!isClosed) {
            long now = timing.ticker().nanos();
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(now - sinceNanos));
            sinceNanos = now;
            SlotMap map = router.slotMap();
            long pendingDeletes = router.statuses().stream()
                    .mapToLong(PartitionStatus::journal)
                    .sum();
            sampler.take(millis, router::slotOf, map::ownerOf, map.partitions(), pendingDeletes)
                    .forEach(this::send);
            start();
        }
    }

    private void send(PartitionId owner, TrafficReport report) {
        if (!forbidding.contains(owner)) {
            Futures.whenOver(
                    router.sendTo(
                            owner,
                            new TrafficCommand.Report(client, report),
                            Patience.until(Deadline.after(timing.ticker(), LONGEST_ANSWER))),
                    (reply, failure) -> {
                        if (reply instanceof Reply.Refused<Boolean> refused
                                && refused.refusal() == Refusal.FORBIDDEN
                                && forbidding.add(owner)) {
                            LOG.info(
                                    "Partition {} does not take reports of how often its slots are asked for, and gets no"
                                            + " more of them: {}",
                                    owner,
                                    refused.detail());
                        }
                    });
        }
    }

    /** Ends the reports; counts since the last one are lost. */
    @Override
    public void close() {
        isClosed = true;
    }
}
