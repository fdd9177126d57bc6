// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Futures;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Timing;
import io.keyslot.client.traffic.CacheTraffic;
import io.keyslot.client.traffic.CachesReport;
import io.keyslot.client.traffic.HotTraffic;
import io.keyslot.client.traffic.SlotCounts;
import io.keyslot.client.traffic.SlotTraffic;
import io.keyslot.client.traffic.TrafficReport;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells each partition now and then how often this client asks for its slots, and what its caches find, for whoever looks. Nobody waits for
 * it, and nothing depends on it: a report that is refused or lost is forgotten, and the next one is about other calls. Where
 * the user may not, it asks once.
 */
public final class TrafficReports implements AutoCloseable {
    /** Clients that start together do not report together. */
    private static final double SPREAD = 0.2;

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(TrafficReports.class);

    private final PartitionRouter router;
    private final SlotCounts counts;
    private final ReportSources sources;
    private final Timing timing;
    private final long everyNanos;
    private final String client;
    private final Set<PartitionId> forbidding = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;
    private long sinceNanos; // one look at a time: by the timer

    /**
     * Creates what does nothing before {@link #start}.
     *
     * @param sources what is told besides
     * @param every about so often, if something was asked for
     */
    public TrafficReports(
            PartitionRouter router, SlotCounts counts, ReportSources sources, Timing timing, Duration every) {
        this.router = router;
        this.counts = counts;
        this.sources = sources;
        this.timing = timing;
        this.everyNanos = every.toNanos();
        this.client = nameBy(timing.random());
        this.sinceNanos = timing.ticker().nanos();
    }

    /**
     * What is told besides the calls of slots.
     *
     * @param hot which keys were read most, with their reads in so many milliseconds
     * @param caches what has happened in caches since the last time
     * @param brokenLinks how many partitions do not tell near caches of changes
     */
    public record ReportSources(
            LongFunction<List<HotTraffic>> hot, Supplier<List<CacheTraffic>> caches, IntSupplier brokenLinks) {}

    private static String nameBy(RandomGenerator random) {
        return "%016x".formatted(random.nextLong());
    }

    /** Begins to report. To be called once. */
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
            Map<PartitionId, List<SlotTraffic>> called = byOwner(counts.take(), SlotTraffic::slot);
            Map<PartitionId, List<HotTraffic>> read = byOwner(sources.hot().apply(millis), HotTraffic::slot);
            CachesReport caches = caches();
            Set<PartitionId> owners = new TreeSet<>(called.keySet());
            owners.addAll(read.keySet()); // near copies may answer all reads of a key
            if (!caches.isEmpty()) {
                owners.addAll(router.slotMap().partitions()); // each of them alone has it then, whichever answers
            }
            owners.forEach(owner -> send(
                    owner,
                    TrafficReport.of(millis, called.getOrDefault(owner, List.of()), read.getOrDefault(owner, List.of()))
                            .with(caches)));
            start();
        }
    }

    private CachesReport caches() {
        Map<String, Integer> journals = new TreeMap<>();
        router.statuses().forEach(status -> journals.put(status.id().name(), status.journal()));
        return CachesReport.of(
                sources.caches().get(), journals, sources.brokenLinks().getAsInt());
    }

    /** Returns what was counted by who owns the slots by now; what nobody owns is left out. */
    private <T> Map<PartitionId, List<T>> byOwner(List<T> counted, ToIntFunction<T> slotOf) {
        Map<PartitionId, List<T>> owned = new TreeMap<>();
        for (T each : counted) {
            router.slotMap()
                    .ownerOf(slotOf.applyAsInt(each))
                    .ifPresent(owner -> owned.computeIfAbsent(owner, first -> new ArrayList<>())
                            .add(each));
        }
        return owned;
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
                                    "Partition {} does not take reports of how often its slots are asked for, and is not told"
                                            + " any more: {}",
                                    owner,
                                    refused.detail());
                        }
                    });
        }
    }

    /** Ends the reports; what was counted since the last one is told to nobody. */
    @Override
    public void close() {
        isClosed = true;
    }
}
