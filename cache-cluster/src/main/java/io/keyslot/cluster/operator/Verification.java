// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Sees whether each key of some slots is at their owner, and nowhere else. It reads only, and slots may be used meanwhile. For one
 * thread.
 *
 * <p>It cannot see what is not there: whether a key that nobody has was to be there is known to applications only.
 */
public final class Verification {
    /** About how many keys of a partition are looked at, unless all are. */
    private static final int PAGES_OF_A_SAMPLE = 50;

    private static final int KEYS_OF_A_PAGE = 2_000;

    /** So many keys of a partition are read, unless all are. */
    private static final int READ_OF_A_SAMPLE = 2_000;

    /** So many keys are named. */
    private static final int MOST_NAMED = 20;

    private final Cluster cluster;
    private final PartitionMap map;
    private final SlotSet slots;
    private final Predicate<EncodedKey> isCopied;
    private final boolean isFull;

    /**
     * @param slots which are looked at
     * @param isCopied whether a key may be at partitions that do not own its slot
     * @param isFull whether all keys are looked at, or a sample of each partition
     */
    public Verification(
            Cluster cluster, PartitionMap map, SlotSet slots, Predicate<EncodedKey> isCopied, boolean isFull) {
        this.cluster = cluster;
        this.map = map;
        this.slots = slots;
        this.isCopied = isCopied;
        this.isFull = isFull;
    }

    /**
     * What was found at a partition.
     *
     * @param owned keys of slots that it owns
     * @param copies of what has its home elsewhere, as it may
     * @param onTheirWay keys of slots that a move takes from there, or brings
     * @param outdated keys at the owner that count as nothing, because the partition has begun anew since
     * @param elsewhere keys of slots that others own: there must be none
     * @param named some of these
     * @param isWhole whether all keys were looked at
     */
    public record Found(
            PartitionId partition,
            long owned,
            long copies,
            long onTheirWay,
            long outdated,
            long elsewhere,
            List<String> named,
            boolean isWhole) {}

    /**
     * Looks at all partitions.
     *
     * @throws SilentException if one does not answer
     */
    public List<Found> run() {
        try (Instances instances = new Instances(cluster)) {
            return map.askedPartitions().stream()
                    .map(partition -> new Look(instances, partition).found())
                    .toList();
        }
    }

    /** A look at one partition. */
    private final class Look {
        private final Instances instances;
        private final MappedPartition partition;
        private final List<String> named = new ArrayList<>();
        private long owned;
        private long copies;
        private long onTheirWay;
        private long outdated;
        private long elsewhere;
        private long read;

        Look(Instances instances, MappedPartition partition) {
            this.instances = instances;
            this.partition = partition;
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
                    copies,
                    onTheirWay,
                    outdated,
                    elsewhere,
                    List.copyOf(named),
                    cursor.equals(ScanPage.START));
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
                } else if (isCopied.test(key)) {
                    copies++;
                } else {
                    elsewhere++;
                    if (named.size() < MOST_NAMED) {
                        named.add(key.text());
                    }
                }
            }
            owned += here.size();
            if (isFull || read < READ_OF_A_SAMPLE) {
                read(here);
            }
        }

        private void read(List<EncodedKey> keys) {
            for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
                List<EncodedKey> left = some;
                while (!left.isEmpty()) {
                    List<Piece> pieces = instances.ask(partition, new SlotTransfer.Export(left));
                    count(pieces);
                    left = left.subList(pieces.size(), left.size());
                }
                read += some.size();
            }
        }

        /** What is there, and counts as nothing, is of an earlier life; what has expired meanwhile is not there. */
        private void count(List<Piece> pieces) {
            List<EncodedKey> nothing = pieces.stream()
                    .filter(piece -> piece.form() == Piece.Form.NOTHING)
                    .map(Piece::key)
                    .filter(key -> !key.text().startsWith("keyslot:parts:"))
                    .toList();
            if (!nothing.isEmpty()) {
                outdated += instances.ask(partition, new SlotTransfer.Weights(nothing)).stream()
                        .filter(weight -> weight > 0)
                        .count();
            }
        }
    }
}
