// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes a partition away while the replay goes on, and brings it back. */
final class OutagePhase {
    /** A call that ends within this time has not waited for the missing partition. */
    private static final Duration QUICK = Duration.ofMillis(5);

    /** Calls for a partition in these states do not ask it. */
    private static final Set<PartitionState> GONE = Set.of(PartitionState.MISSING, PartitionState.PROBING);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    private final PartitionedCacheManager manager;
    private final Shop shop;
    private final DemoReplay replay;
    private final Outage outage;
    private final LongSupplier nanoClock;

    OutagePhase(PartitionedCacheManager manager, Shop shop, DemoReplay replay, Outage outage, LongSupplier nanoClock) {
        this.manager = manager;
        this.shop = shop;
        this.replay = replay;
        this.outage = outage;
        this.nanoClock = nanoClock;
    }

    /**
     * Runs the outage.
     *
     * @param during the receipts that are read while the partition goes
     * @param after the receipts that are read when it is known to be gone
     */
    OutageReport run(List<Receipt> during, List<Receipt> after) {
        Measurements measurements = new Measurements(nanoClock);
        List<Integer> customers = customersOfThePartition(during, after);
        AtomicReference<@Nullable Duration> untilDecided = new AtomicReference<>();
        int threads = replay.threads();

        Workers.run(threads + 1, number -> {
            if (number == threads) {
                untilDecided.set(takeAway(customers, measurements));
            } else {
                replay.reads(during, number, measurements);
            }
        });
        Workers.run(threads, number -> replay.reads(after, number, measurements));
        shop.loads().forEach(loads -> loads.missing(slot -> false));
        Duration untilUsedAgain = bringBack(customers, measurements);

        return new OutageReport(
                outage.partition(),
                outage.means(),
                salesOf(during) + salesOf(after),
                measurements,
                shop.loads().stream().mapToLong(DemoLoads::duringOutage).sum(),
                untilDecided.get(),
                untilUsedAgain);
    }

    private @Nullable Duration takeAway(List<Integer> customers, Measurements measurements) {
        long start = nanoClock.getAsLong();
        outage.begin();
        shop.loads().forEach(loads -> loads.missing(this::isOfThePartition));
        return firstTime(start, customers, customer -> {
            long before = nanoClock.getAsLong();
            get(customer, measurements);
            return nanoClock.getAsLong() - before <= QUICK.toNanos() && GONE.contains(stateOfThePartition());
        });
    }

    private @Nullable Duration bringBack(List<Integer> customers, Measurements measurements) {
        PartitionedCache<?, ?> cache = shop.customers().unwrap(PartitionedCache.class);
        long start = nanoClock.getAsLong();
        outage.end();
        return firstTime(start, customers, customer -> {
            get(customer, measurements);
            return stateOfThePartition() == PartitionState.HEALTHY && isPresent(cache, customer);
        });
    }

    @SuppressWarnings("unchecked") // The cache of customers, which unwrap cannot say.
    private static boolean isPresent(PartitionedCache<?, ?> customers, int customer) {
        return ((PartitionedCache<Integer, Customer>) customers)
                        .explain(customer)
                        .presence()
                == Presence.PRESENT;
    }

    /** Goes around the customers until the test holds for one, and returns the time since the start. */
    private @Nullable Duration firstTime(long start, List<Integer> customers, IntPredicate test) {
        for (int next = 0; !customers.isEmpty(); next = (next + 1) % customers.size()) {
            boolean holds = test.test(customers.get(next));
            Duration passed = Duration.ofNanos(nanoClock.getAsLong() - start);
            if (holds) {
                return passed;
            }
            if (passed.compareTo(LONGEST_WAIT) > 0) {
                return null;
            }
        }
        return null;
    }

    private void get(int customer, Measurements measurements) {
        measurements.time(
                Operation.GET_CUSTOMER,
                () -> shop.customers().get(customer),
                found -> found != null && found.id() == customer);
    }

    private PartitionState stateOfThePartition() {
        return manager.partitions().stream()
                .filter(status -> status.id().equals(outage.partition()))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private boolean isOfThePartition(int slot) {
        return isOf(manager.slotMap(), outage.partition(), slot);
    }

    private static boolean isOf(SlotMap map, PartitionId partition, int slot) {
        return map.ownerOf(slot).filter(partition::equals).isPresent();
    }

    private List<Integer> customersOfThePartition(List<Receipt> during, List<Receipt> after) {
        return Stream.concat(during.stream(), after.stream())
                .map(Receipt::customer)
                .distinct()
                .filter(customer -> isOfThePartition(Shop.slotOfCustomer(customer)))
                .toList();
    }

    private static long salesOf(List<Receipt> receipts) {
        return receipts.stream().mapToLong(Receipt::lines).sum();
    }
}
