// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.demo.DemoReport.LoadCounts;
import io.keyslot.cluster.demo.DemoReport.Source;
import io.keyslot.cluster.demo.DemoReport.Visits;
import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.cluster.terminal.Terminal;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the demo does, step by step: replays most sales, then some while a partition is added, some without one partition, and the
 * rest with all.
 */
final class DemoRun {
    private static final int GROWTH_FROM_PERCENT = 60;
    private static final int OUTAGE_FROM_PERCENT = 80;
    private static final int OUTAGE_KNOWN_FROM_PERCENT = 85;
    private static final int OUTAGE_TO_PERCENT = 90;
    private static final int PERCENT = 100;

    private final List<Receipt> receipts;
    private final Partitions partitions;
    private final PartitionedCacheManager manager;
    private final Shop shop;
    private final int threads;
    private final Terminal terminal;
    private final LongSupplier nanoClock;

    DemoRun(DemoOptions options, FoodMart foodMart, Partitions partitions, Terminal terminal, LongSupplier nanoClock) {
        this.receipts = foodMart.receipts(options.sales());
        this.partitions = partitions;
        this.manager = partitions.manager();
        this.shop = new Shop(manager, foodMart, partitions.timeToLive());
        this.threads = options.threads();
        this.terminal = terminal;
        this.nanoClock = nanoClock;
        partitions.requireEmpty(shop);
    }

    DemoReport report(Source source) {
        try (ProgressBar progress = new ProgressBar(terminal, "Replaying sales", salesOf(receipts))) {
            DemoReplay replay = new DemoReplay(shop, threads, progress);
            Optional<Outage> outage = partitions.outage();
            int beforeOutage = outage.isPresent() ? OUTAGE_FROM_PERCENT : PERCENT;
            Optional<Growth> growth = partitions.growth();
            List<Receipt> before = part(0, beforeOutage);
            ReplayReport replayed = timed(replay, part(0, growth.isPresent() ? GROWTH_FROM_PERCENT : beforeOutage));
            LoadCounts loads = shop.loadCounts();
            GrowthReport grown = null;
            if (growth.isPresent()) {
                progress.label("Adding a server");
                grown = new GrowthPhase(replay, growth.get(), nanoClock).run(part(GROWTH_FROM_PERCENT, beforeOutage));
            }
            progress.label("Counting entries");
            DemoSurvey survey = new DemoSurvey(manager, shop);
            Distribution distribution = survey.distribution(before);
            if (outage.isEmpty()) {
                Visits visits = visits(survey, before.stream(), null);
                return new DemoReport(
                        partitions.description(),
                        source,
                        threads,
                        replayed,
                        loads,
                        grown,
                        distribution,
                        null,
                        null,
                        visits);
            }
            PartitionId lost = outage.get().partition();
            progress.label("Without " + lost);
            OutageReport outageReport = new OutagePhase(manager, shop, replay, outage.get(), nanoClock)
                    .run(
                            part(OUTAGE_FROM_PERCENT, OUTAGE_KNOWN_FROM_PERCENT),
                            part(OUTAGE_KNOWN_FROM_PERCENT, OUTAGE_TO_PERCENT));
            progress.label("With all again");
            List<Receipt> after = part(OUTAGE_TO_PERCENT, PERCENT);
            ReplayReport afterwards = timed(replay, after);
            Visits visits = visits(survey, Stream.concat(before.stream(), after.stream()), lost);
            return new DemoReport(
                    partitions.description(),
                    source,
                    threads,
                    replayed,
                    loads,
                    grown,
                    distribution,
                    outageReport,
                    afterwards,
                    visits);
        }
    }

    private ReplayReport timed(DemoReplay replay, List<Receipt> part) {
        Measurements measurements = new Measurements(nanoClock);
        long start = nanoClock.getAsLong();
        replay.all(part, measurements);
        return new ReplayReport(salesOf(part), Duration.ofNanos(nanoClock.getAsLong() - start), measurements);
    }

    private Visits visits(DemoSurvey survey, Stream<Receipt> written, @Nullable PartitionId lost) {
        long made = written.filter(receipt -> !survey.isOwner(lost, Shop.slotOfCustomer(receipt.customer())))
                .count();
        return new Visits(survey.visitsWithout(lost), made);
    }

    private List<Receipt> part(int fromPercent, int toPercent) {
        return receipts.subList(receipts.size() * fromPercent / PERCENT, receipts.size() * toPercent / PERCENT);
    }

    private static long salesOf(List<Receipt> part) {
        return part.stream().mapToLong(Receipt::lines).sum();
    }
}
