// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.cluster.operator.StoredContent.Likeness;
import io.keyslot.cluster.operator.StoredContent.State;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Verifies that each key of some slots is at its owner and nowhere else, and is intact; and, while a move has slots at
 * both ends, that the new owner has the data of the previous one. Read-only, and the slots may be in use. Only
 * applications know whether a key that exists nowhere is missing. For one thread.
 *
 * <p>{@code isFull} is whether all keys are listed, read and compared, or a sample of each partition.
 */
public record Verification(OpenCatalogue catalogue, PartitionMap map, SlotSet slots, boolean isFull) {
    private static final int PAGES_OF_A_SAMPLE = 50;

    private static final int KEYS_OF_A_PAGE = 2_000;

    private static final int READ_OF_A_SAMPLE = 2_000;

    private static final int MOST_NAMED = 20;

    public record Result(List<Found> found, List<Compared> compared) {
        /** Returns whether no key is at a wrong partition, and no data is damaged. */
        public boolean isSound() {
            return found.stream()
                            .allMatch(each ->
                                    each.elsewhere() == 0 && each.values().damaged() == 0)
                    && compared.stream().allMatch(each -> each.different() == 0);
        }
    }

    /**
     * The keys at a partition: those it owns, those on their way by a move, outdated ones of an earlier incarnation,
     * and those of slots of other owners, which must not exist. {@code isWhole} is whether all keys were listed.
     */
    public record Found(
            PartitionId partition,
            long owned,
            long onTheirWay,
            long outdated,
            long elsewhere,
            List<String> named,
            boolean isWhole,
            Values values) {}

    /** The values that were read. Those without a checksum are unproven: raw caches, aggregates, metadata of groups. */
    public record Values(long looked, long unproven, long damaged, List<String> named) {}

    /**
     * The data at the new owner of slots compared with what is left at the previous one.
     *
     * @param move the move
     * @param at the new owner
     * @param with the previous owner
     * @param same keys with the same data
     * @param changed keys that were written since
     * @param different keys with other bytes of the same write
     * @param missing keys without data at the new owner: removed or expired since, or lost
     * @param unknown differing keys without a stamp, and aggregates of more than 1 MiB
     * @param named some of the different and the missing
     */
    public record Compared(
            String move,
            PartitionId at,
            PartitionId with,
            long same,
            long changed,
            long different,
            long missing,
            long unknown,
            List<String> named) {}

    /** Verifies all partitions; throws {@link SilentException} if one does not answer. */
    public Result run() {
        try (Instances instances = new Instances(catalogue)) {
            Map<String, Comparison> comparisons = new TreeMap<>();
            List<Found> found = map.askedPartitions().stream()
                    .map(partition -> new Look(instances, partition, comparisons).found())
                    .toList();
            return new Result(
                    found,
                    comparisons.values().stream().map(Comparison::compared).toList());
        }
    }

    private static void name(List<String> named, String text) {
        if (named.size() < MOST_NAMED) {
            named.add(text);
        }
    }

    private final class Look {
        private final Instances instances;
        private final MappedPartition partition;
        private final Map<String, Comparison> comparisons;
        private final List<String> named = new ArrayList<>();
        private final List<String> namedAsDamaged = new ArrayList<>();
        private long owned;
        private long onTheirWay;
        private long outdated;
        private long elsewhere;
        private long read;
        private long looked;
        private long unproven;
        private long damaged;

        Look(Instances instances, MappedPartition partition, Map<String, Comparison> comparisons) {
            this.instances = instances;
            this.partition = partition;
            this.comparisons = comparisons;
        }

        Found found() {
            String cursor = ScanPage.START;
            int pages = 0;
            do {
                ScanPage page = instances.ask(
                        partition,
                        new SlotTransfer.Keys(cursor, key -> slots.contains(map.slotOf(key)), KEYS_OF_A_PAGE));
                look(page.keys());
                cursor = page.next();
                pages++;
            } while (!cursor.equals(ScanPage.START) && (isFull || pages < PAGES_OF_A_SAMPLE));
            return new Found(
                    partition.name(),
                    owned,
                    onTheirWay,
                    outdated,
                    elsewhere,
                    List.copyOf(named),
                    cursor.equals(ScanPage.START),
                    new Values(looked, unproven, damaged, List.copyOf(namedAsDamaged)));
        }

        private void look(List<EncodedKey> keys) {
            List<EncodedKey> here = new ArrayList<>();
            for (EncodedKey key : keys) {
                int slot = map.slotOf(key);
                Optional<Move> move = map.moveOf(slot);
                if (map.ownerOf(slot).filter(partition.name()::equals).isPresent()) {
                    here.add(key);
                } else if (move.isPresent() && move.get().involves(partition.name())) {
                    onTheirWay++;
                    remember(key, move.get());
                } else {
                    elsewhere++;
                    name(named, key.text());
                }
            }
            owned += here.size();
            if (isFull || read < READ_OF_A_SAMPLE) {
                read(here);
            }
            comparisons.values().forEach(comparison -> comparison.compare(instances));
        }

        /** Remembers what is left of slots that have a new owner, for the comparison. */
        private void remember(EncodedKey key, Move move) {
            boolean isCommitted =
                    map.ownerOf(map.slotOf(key)).filter(move.to()::equals).isPresent();
            if (isFull && isCommitted && partition.name().equals(move.from())) {
                comparisons
                        .computeIfAbsent(move.id(), id -> new Comparison(move))
                        .add(key);
            }
        }

        private void read(List<EncodedKey> keys) {
            for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
                Map<EncodedKey, StoredContent> contents = StoredContent.read(instances.at(partition), some);
                contents.forEach(this::count);
                countOutdated(contents);
                read += some.size();
            }
        }

        private void count(EncodedKey key, StoredContent content) {
            if (content.state() == State.NOTHING) {
                return;
            }
            looked++;
            if (content.state() == State.UNPROVEN) {
                unproven++;
            } else if (content.state() == State.DAMAGED) {
                damaged++;
                name(namedAsDamaged, key.text());
            }
        }

        /** Counts invalid data of an earlier incarnation; expired data does not exist any more. */
        private void countOutdated(Map<EncodedKey, StoredContent> contents) {
            List<EncodedKey> nothing = contents.entrySet().stream()
                    .filter(entry -> entry.getValue().state() == State.NOTHING)
                    .map(Map.Entry::getKey)
                    .toList();
            if (!nothing.isEmpty()) {
                outdated += instances.ask(partition, new SlotTransfer.Weights(nothing)).stream()
                        .filter(weight -> weight > 0)
                        .count();
            }
        }
    }

    private final class Comparison {
        private final Move move;
        private final Map<Likeness, Long> counts = new EnumMap<>(Likeness.class);
        private final List<String> named = new ArrayList<>();
        private List<EncodedKey> waiting = new ArrayList<>();

        Comparison(Move move) {
            this.move = move;
        }

        void add(EncodedKey key) {
            waiting.add(key);
        }

        /** The target first: keys that expired or were removed at the source meanwhile are not compared. */
        void compare(Instances instances) {
            List<EncodedKey> keys = waiting;
            waiting = new ArrayList<>();
            for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
                Map<EncodedKey, StoredContent> now = contents(instances, move.to(), some);
                contents(instances, move.from(), some).forEach((key, before) -> {
                    if (before.state() != State.NOTHING) {
                        count(key, now.getOrDefault(key, StoredContent.NOTHING).comparedWith(before));
                    }
                });
            }
        }

        private Map<EncodedKey, StoredContent> contents(Instances instances, PartitionId id, List<EncodedKey> keys) {
            MappedPartition partition = map.partition(id)
                    .orElseThrow(() -> new IllegalStateException("A map names both partitions of its moves"));
            return StoredContent.read(instances.at(partition), keys);
        }

        private void count(EncodedKey key, Likeness likeness) {
            counts.merge(likeness, 1L, Long::sum);
            if (likeness == Likeness.DIFFERENT) {
                name(
                        named,
                        "%s has other bytes of the same write than %s: %s"
                                .formatted(move.to(), move.from(), key.text()));
            } else if (likeness == Likeness.MISSING) {
                name(
                        named,
                        "%s has nothing, and %s still has what was removed since, has expired, or is lost: %s"
                                .formatted(move.to(), move.from(), key.text()));
            }
        }

        private long number(Likeness likeness) {
            return counts.getOrDefault(likeness, 0L);
        }

        Compared compared() {
            return new Compared(
                    move.id(),
                    move.to(),
                    move.from(),
                    number(Likeness.SAME),
                    number(Likeness.CHANGED),
                    number(Likeness.DIFFERENT),
                    number(Likeness.MISSING),
                    number(Likeness.UNKNOWN),
                    List.copyOf(named));
        }
    }
}
