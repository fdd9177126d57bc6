// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedEntry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** Looks at every entry of the caches to find out what is where. */
final class DemoSurvey {
    /** The size of one entry in so many is asked for; each costs a round trip. */
    private static final int ENTRIES_PER_SAMPLE = 16;

    private final PartitionedCacheManager manager;
    private final Shop shop;

    DemoSurvey(PartitionedCacheManager manager, Shop shop) {
        this.manager = manager;
        this.shop = shop;
    }

    /**
     * Counts the entries of all caches.
     *
     * @param replayed receipts whose customers, products and sales must be there
     */
    Distribution distribution(List<Receipt> replayed) {
        Tally customers = count(shop.customers(), entry -> true);
        Tally products = count(shop.products(), entry -> true);
        Tally sales = count(shop.sales(), DemoSurvey::isInTheSlotOfItsCustomer);
        List<PartitionShare> shares = manager.partitions().stream()
                .map(status -> share(status, customers, products, sales))
                .toList();
        long lost = missing(replayed.stream().map(Receipt::customer), customers)
                + missing(replayed.stream().flatMap(receipt -> receipt.products().stream()), products)
                + missing(replayed.stream().flatMap(receipt -> receipt.keys().stream()), sales);
        return new Distribution(shares, sales.strayed, lost);
    }

    private static long missing(Stream<?> keys, Tally tally) {
        return keys.distinct().filter(key -> !tally.keys.contains(key)).count();
    }

    /** Returns how many visits the entries of the customers hold, those in one partition left out. */
    long visitsWithout(@Nullable PartitionId lost) {
        long visits = 0;
        for (Cache.Entry<Integer, Customer> entry : shop.customers()) {
            if (!isOwner(lost, entry.unwrap(PartitionedEntry.class).slot())) {
                visits += entry.getValue().visits();
            }
        }
        return visits;
    }

    /** Returns whether the slot belongs to this partition; null is none. */
    boolean isOwner(@Nullable PartitionId partition, int slot) {
        return manager.slotMap()
                .ownerOf(slot)
                .filter(owner -> owner.equals(partition))
                .isPresent();
    }

    private static boolean isInTheSlotOfItsCustomer(Cache.Entry<SaleKey, Sale> entry) {
        return entry.unwrap(PartitionedEntry.class).slot()
                == Shop.slotOfCustomer(entry.getKey().customer());
    }

    private PartitionShare share(PartitionStatus status, Tally customers, Tally products, Tally sales) {
        PartitionId id = status.id();
        return new PartitionShare(
                id,
                status.address(),
                status.slots(),
                customers.of(id).entries,
                products.of(id).entries,
                sales.of(id).entries,
                customers.of(id).projectedBytes()
                        + products.of(id).projectedBytes()
                        + sales.of(id).projectedBytes());
    }

    @SuppressWarnings("unchecked") // A cache unwraps to itself, with its own types.
    private <K, V> Tally count(Cache<K, V> cache, Predicate<Cache.Entry<K, V>> rightPlace) {
        PartitionedCache<K, V> partitioned = cache.unwrap(PartitionedCache.class);
        SlotMap map = manager.slotMap();
        Tally tally = new Tally();
        for (Cache.Entry<K, V> entry : cache) {
            int slot = entry.unwrap(PartitionedEntry.class).slot();
            PartitionTally of = tally.of(map.ownerOf(slot).orElseThrow());
            if (of.entries++ % ENTRIES_PER_SAMPLE == 0) {
                EntryExplanation explanation = partitioned.explain(entry.getKey());
                of.samples++;
                of.sampledBytes += explanation.sizeBytes();
            }
            tally.keys.add(entry.getKey());
            if (!rightPlace.test(entry)) {
                tally.strayed++;
            }
        }
        return tally;
    }

    /** What one cache has in each partition. */
    private static final class Tally {
        private final Map<PartitionId, PartitionTally> partitions = new LinkedHashMap<>();
        private final Set<Object> keys = new HashSet<>();
        private long strayed;

        private PartitionTally of(PartitionId partition) {
            return partitions.computeIfAbsent(partition, id -> new PartitionTally());
        }
    }

    /** What one cache has in one partition. */
    private static final class PartitionTally {
        private long entries;
        private long samples;
        private long sampledBytes;

        private long projectedBytes() {
            return samples == 0 ? 0 : Math.round((double) sampledBytes / samples * entries);
        }
    }
}
