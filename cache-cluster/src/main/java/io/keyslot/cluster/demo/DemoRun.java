// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedEntry;
import io.keyslot.cluster.demo.DemoReport.Phase;
import io.keyslot.cluster.demo.DemoReport.Share;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the demo: replays most sales, some while a server is added, some without one partition, and the rest.
 */
final class DemoRun {
    /** A call within this time has not waited for the missing partition. */
    private static final Duration QUICK = Duration.ofMillis(5);

    private static final Set<PartitionState> GONE = Set.of(PartitionState.MISSING, PartitionState.PROBING);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    private final List<Receipt> receipts;
    private final Partitions partitions;
    private final PartitionedCacheManager manager;
    private final Shop shop;
    private final ProgressBar progress;
    private final Replay replay;
    private final LongSupplier nanoClock;
    private final DemoReport report = new DemoReport();

    DemoRun(Demo demo, FoodMart foodMart, Partitions partitions, ProgressBar progress) {
        this.receipts = foodMart.receipts(demo.sales());
        this.partitions = partitions;
        this.manager = partitions.manager();
        this.shop = new Shop(manager, foodMart);
        this.progress = progress;
        this.replay = new Replay(shop, demo.threads(), progress);
        this.nanoClock = demo.nanoClock();
    }

    DemoReport run() {
        if (partitions.areServers()) {
            phase("load", part(0, 60), true);
            grow(part(60, 80));
        } else {
            phase("load", part(0, 80), true);
        }
        count(part(0, 80));
        outage(part(80, 90));
        phase("with all again", part(90, 100), true);
        countVisits(Stream.concat(part(0, 80).stream(), part(90, 100).stream()));
        return report;
    }

    private List<Receipt> part(int fromPercent, int toPercent) {
        return receipts.subList(receipts.size() * fromPercent / 100, receipts.size() * toPercent / 100);
    }

    private void phase(String name, List<Receipt> part, boolean writes) {
        phase(name, part, measurements -> replay.all(part, writes, measurements));
    }

    private void phase(String name, List<Receipt> part, Consumer<Measurements> work) {
        progress.label(name);
        Measurements measurements = new Measurements(nanoClock);
        long start = nanoClock.getAsLong();
        long loads = shop.loads();
        work.accept(measurements);
        report.add(new Phase(
                name, part.stream().mapToLong(Receipt::lines).sum(), measurements, shop.loads() - loads, since(start)));
    }

    private Duration since(long start) {
        return Duration.ofNanos(nanoClock.getAsLong() - start);
    }

    private void grow(List<Receipt> part) {
        List<MoveProgress> moves = Collections.synchronizedList(new ArrayList<>());
        phase(
                "a server comes",
                part,
                measurements -> replay.during(part, true, measurements, () -> moves.addAll(partitions.addServer())));
        report.add(
                "keysMoved",
                "Keys that went to the new server",
                moves.stream().mapToLong(move -> move.copied().keys()).sum());
        report.add(
                "longestPauseMillis",
                "Longest pause of writes to a slot",
                moves.stream()
                        .map(move -> move.pauses().longest())
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO));
    }

    private void outage(List<Receipt> part) {
        List<Integer> customers = part.stream()
                .map(Receipt::customer)
                .distinct()
                .filter(customer -> isLost(Shop.slotOfCustomer(customer)))
                .toList();
        phase(
                "without one",
                part,
                measurements -> replay.during(part, false, measurements, () -> {
                    long start = nanoClock.getAsLong();
                    partitions.kill();
                    shop.missing(this::isLost);
                    Duration untilDecided = firstTime(
                            start,
                            customers,
                            measurements,
                            (customer, took) -> took <= QUICK.toNanos() && GONE.contains(stateOfLost()));
                    report.add(
                            "untilDecidedMillis",
                            "Time until %s counts as missing".formatted(partitions.lost()),
                            untilDecided);
                }));
        shop.missing(slot -> false);
        report.add("answeredByLoader", "Reads of its keys answered by the loader", shop.loadsOfMissing());
        phase("it returns", List.of(), measurements -> {
            PartitionedCache<?, ?> cache = shop.customers().unwrap(PartitionedCache.class);
            long start = nanoClock.getAsLong();
            partitions.restart();
            Duration untilUsed = firstTime(
                    start,
                    customers,
                    measurements,
                    (customer, took) -> stateOfLost() == PartitionState.HEALTHY && isPresent(cache, customer));
            report.add("untilUsedMillis", "Time from its return until it is used", untilUsed);
        });
    }

    /** Reads the customers until the test succeeds, and returns the elapsed time; null if it never does. */
    private @Nullable Duration firstTime(
            long start, List<Integer> customers, Measurements measurements, BiPredicate<Integer, Long> test) {
        for (int next = 0; !customers.isEmpty() && since(start).compareTo(LONGEST_WAIT) < 0; next++) {
            int customer = customers.get(next % customers.size());
            long before = nanoClock.getAsLong();
            replay.customer(customer, measurements);
            if (test.test(customer, nanoClock.getAsLong() - before)) {
                return since(start);
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked") // unwrap cannot express the types of the customer cache
    private static boolean isPresent(PartitionedCache<?, ?> customers, int customer) {
        return ((PartitionedCache<Integer, Customer>) customers)
                        .explain(customer)
                        .presence()
                == Presence.PRESENT;
    }

    private PartitionState stateOfLost() {
        return manager.partitions().stream()
                .filter(status -> status.id().equals(partitions.lost()))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private boolean isLost(int slot) {
        return manager.slotMap().ownerOf(slot).filter(partitions.lost()::equals).isPresent();
    }

    /** Counts the entries of all caches; those of these receipts must exist. */
    private void count(List<Receipt> replayed) {
        Map<PartitionId, Long> entries = new HashMap<>();
        long lost = missing(replayed.stream().map(Receipt::customer), shop.customers(), entries)
                + missing(replayed.stream().flatMap(receipt -> receipt.products().stream()), shop.products(), entries)
                + missing(replayed.stream().flatMap(receipt -> receipt.keys().stream()), shop.sales(), entries);
        manager.partitions()
                .forEach(status -> report.add(
                        new Share(status.id().name(), status.slots(), entries.getOrDefault(status.id(), 0L))));
        report.add("lost", "Entries lost", lost, 0);
    }

    private long missing(Stream<?> keys, Cache<?, ?> cache, Map<PartitionId, Long> entries) {
        Set<Object> found = new HashSet<>();
        for (Cache.Entry<?, ?> entry : cache) {
            found.add(entry.getKey());
            entries.merge(manager.slotMap().ownerOf(slotOf(entry)).orElseThrow(), 1L, Long::sum);
        }
        return keys.distinct().filter(key -> !found.contains(key)).count();
    }

    private static int slotOf(Cache.Entry<?, ?> entry) {
        return entry.unwrap(PartitionedEntry.class).slot();
    }

    /** Counts the visits, except of customers of the stopped partition: only its cache knew them. */
    private void countVisits(Stream<Receipt> written) {
        long visits = 0;
        for (Cache.Entry<Integer, Customer> entry : shop.customers()) {
            visits += isLost(slotOf(entry)) ? 0 : entry.getValue().visits();
        }
        long made = written.filter(receipt -> !isLost(Shop.slotOfCustomer(receipt.customer())))
                .count();
        report.add("visitsCounted", "Visits counted by entry processors, elsewhere", visits, made);
        report.add("visitsMade", "Visits made there", made);
    }
}
