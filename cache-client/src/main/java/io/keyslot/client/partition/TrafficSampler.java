// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.concurrent.LatencyHistogram;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls and bytes of each slot, and keeps some of the keys, from a random sample of one in {@value #ONE_IN}
 * calls that are sent to partitions, and the durations of these calls. Counts all calls of caches. Thread-safe.
 *
 * <p>Calls are chosen at random rather than by counting, because applications repeat call patterns. Up to
 * {@value #MOST_KEYS} sampled keys are kept, each with the same probability (reservoir sampling).
 */
public final class TrafficSampler {
    /** The number of calls that each sampled call stands for. */
    public static final int ONE_IN = 16;

    static final int MOST_KEYS = 1_024;

    /** The maximum length in bytes of a kept key. */
    static final int LONGEST_KEY = 256;

    private static final int MOST_SLOTS = 1 << 16;

    /** A key that was sampled once is not significant. */
    private static final int LEAST_SEEN = 2;

    /** For each slot its calls, followed by their bytes. */
    private final AtomicLongArray traffic = new AtomicLongArray(2 * MOST_SLOTS);

    private final AtomicReferenceArray<@Nullable EncodedKey> keys = new AtomicReferenceArray<>(MOST_KEYS);
    private final AtomicLong chosen = new AtomicLong();
    private final LatencyHistogram latencies = new LatencyHistogram();
    private final Map<String, CacheCounts> caches = new ConcurrentHashMap<>();

    /** The calls of one cache since the last report. */
    public record CacheCounts(LongAdder hits, LongAdder misses, LongAdder puts, LongAdder removals, LongAdder loads) {
        private CacheCounts() {
            this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
        }

        private TrafficReport.CacheCalls take(String name) {
            return new TrafficReport.CacheCalls(
                    name,
                    hits.sumThenReset(),
                    misses.sumThenReset(),
                    puts.sumThenReset(),
                    removals.sumThenReset(),
                    loads.sumThenReset());
        }
    }

    /** Returns whether this call belongs to the sample. */
    public boolean chooses() {
        return firstChosen() == 0;
    }

    /** Returns the first item of a bulk call that belongs to the sample; each {@value #ONE_IN}th one after it does, too. */
    public int firstChosen() {
        return ThreadLocalRandom.current().nextInt(ONE_IN);
    }

    /** Returns the counts of a cache, which are reported until {@link #forget}. */
    public CacheCounts cache(String name) {
        return caches.computeIfAbsent(name, first -> new CacheCounts());
    }

    public void forget(String cache) {
        caches.remove(cache);
    }

    /** Counts a sampled call with the bytes of its keys and values, one of its keys, and its duration. */
    public void count(int slot, long size, EncodedKey key, long nanos) {
        if (slot < 0 || slot >= MOST_SLOTS) {
            return;
        }
        traffic.getAndIncrement(2 * slot);
        traffic.getAndAdd(2 * slot + 1, size);
        latencies.record(nanos);
        long before = chosen.getAndIncrement();
        long place = before < MOST_KEYS ? before : ThreadLocalRandom.current().nextLong(before + 1);
        if (place < MOST_KEYS) {
            keys.set((int) place, key.length() <= LONGEST_KEY ? key : null);
        }
    }

    /**
     * Returns and resets the counts, by the current owners of the slots; slots without an owner are omitted. Each of the
     * partitions gets a report, also without calls: that there were none is known then. For one thread at a time.
     */
    public Map<PartitionId, TrafficReport> take(
            long millis,
            KeySlots slotOf,
            IntFunction<Optional<PartitionId>> ownerOf,
            List<PartitionId> partitions,
            long pendingDeletes) {
        Map<PartitionId, List<TrafficReport.Slot>> slots = new TreeMap<>();
        partitions.forEach(partition -> slots.put(partition, new ArrayList<>()));
        for (int slot = 0; slot < MOST_SLOTS; slot++) {
            long called = traffic.get(2 * slot) == 0 ? 0 : traffic.getAndSet(2 * slot, 0);
            if (called > 0) {
                TrafficReport.Slot counted =
                        new TrafficReport.Slot(slot, called * ONE_IN, traffic.getAndSet(2 * slot + 1, 0) * ONE_IN);
                ownerOf.apply(slot)
                        .ifPresent(owner -> slots.computeIfAbsent(owner, first -> new ArrayList<>())
                                .add(counted));
            }
        }
        List<TrafficReport.Named> named = takeNamed(slotOf);
        TrafficReport.Totals totals = new TrafficReport.Totals(
                caches.entrySet().stream()
                        .filter(cache -> cache.getKey().length() <= LONGEST_KEY)
                        .map(cache -> cache.getValue().take(cache.getKey()))
                        .toList(),
                latencies.take(),
                pendingDeletes);
        Map<PartitionId, TrafficReport> reports = new TreeMap<>();
        slots.forEach((owner, theirs) -> reports.put(
                owner,
                TrafficReport.of(
                        millis,
                        theirs,
                        named.stream()
                                .filter(key -> ownerOf.apply(key.slot()).equals(Optional.of(owner)))
                                .toList(),
                        totals)));
        return reports;
    }

    private List<TrafficReport.Named> takeNamed(KeySlots slotOf) {
        long all = chosen.getAndSet(0);
        int kept = (int) Math.min(MOST_KEYS, all);
        Map<TrafficReport.Named, Integer> seen = new HashMap<>();
        Set<String> groups = new HashSet<>(); // roots of keys that are longer than their root
        for (int i = 0; i < kept; i++) {
            EncodedKey key = keys.getAndSet(i, null);
            int slot = key == null ? -1 : slotOf.slotOf(key);
            if (key != null && slot >= 0) {
                TrafficReport.Named group = new TrafficReport.Named(HashSlot.tag(key.text()), slot, true, 0);
                TrafficReport.Named single = new TrafficReport.Named(key.text(), slot, false, 0);
                seen.merge(group, 1, Integer::sum);
                seen.merge(single, 1, Integer::sum);
                if (!group.name().equals(single.name())) {
                    groups.add(group.name());
                }
            }
        }
        List<TrafficReport.Named> named = new ArrayList<>();
        seen.forEach((each, times) -> {
            if (times >= LEAST_SEEN && (!each.isGroup() || groups.contains(each.name()))) {
                named.add(
                        new TrafficReport.Named(each.name(), each.slot(), each.isGroup(), times * ONE_IN * all / kept));
            }
        });
        return named;
    }
}
