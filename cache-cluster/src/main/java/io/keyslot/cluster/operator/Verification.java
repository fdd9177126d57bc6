// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Verifies that each key of some slots is at its owner and nowhere else, and is intact by the checksums of
 * {@code docs/contributing/envelope.md}: they cover key and value, but not flags, stamp and times. Read-only, and the
 * slots may be in use. Only applications know whether a key that exists nowhere is missing. For one thread.
 *
 * <p>{@code isFull} is whether all keys are listed and read, or a sample of each partition.
 */
public record Verification(OpenCatalogue catalogue, PartitionMap map, SlotSet slots, boolean isFull) {
    private static final int PAGES_OF_A_SAMPLE = 50;
    private static final int KEYS_OF_A_PAGE = 2_000;
    private static final int READ_OF_A_SAMPLE = 2_000;
    private static final int MOST_NAMED = 20;
    private static final Set<Lookup.Outcome> PROVEN =
            EnumSet.of(Lookup.Outcome.FOUND, Lookup.Outcome.LEASED, Lookup.Outcome.RESERVED, Lookup.Outcome.NEGATIVE);

    /**
     * The keys at a partition, and the values that were read.
     *
     * @param partition the partition
     * @param owned keys that it owns
     * @param onTheirWay keys of slots that a move brings or takes away
     * @param outdated keys with data of an earlier incarnation
     * @param elsewhere keys of slots of other owners, which must not exist
     * @param named some of the keys that are elsewhere
     * @param isWhole whether all keys were listed
     * @param read values that were read
     * @param unproven values without a checksum: raw caches, aggregates, metadata of groups
     * @param damaged values that do not match their checksum
     * @param namedAsDamaged some of the keys with a damaged value
     */
    public record Found(
            PartitionId partition,
            long owned,
            long onTheirWay,
            long outdated,
            long elsewhere,
            List<String> named,
            boolean isWhole,
            long read,
            long unproven,
            long damaged,
            List<String> namedAsDamaged) {
        /** Returns whether no key is at a wrong partition, and no data is damaged. */
        public boolean isSound() {
            return elsewhere == 0 && damaged == 0;
        }
    }

    /** Verifies all partitions; throws {@link SilentException} if one does not answer. */
    public List<Found> run() {
        try (Instances instances = new Instances(catalogue)) {
            return map.askedPartitions().stream()
                    .map(partition -> new Look(instances, partition).found())
                    .toList();
        }
    }

    private final class Look {
        private final Instances instances;
        private final MappedPartition partition;
        private final List<String> named = new ArrayList<>();
        private final List<String> namedAsDamaged = new ArrayList<>();
        private long owned;
        private long onTheirWay;
        private long outdated;
        private long elsewhere;
        private long asked;
        private long read;
        private long unproven;
        private long damaged;

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
                    onTheirWay,
                    outdated,
                    elsewhere,
                    named,
                    cursor.equals(ScanPage.START),
                    read,
                    unproven,
                    damaged,
                    namedAsDamaged);
        }

        private void look(List<EncodedKey> keys) {
            List<EncodedKey> here = new ArrayList<>();
            for (EncodedKey key : keys) {
                int slot = map.slotOf(key);
                if (map.ownerOf(slot).filter(partition.name()::equals).isPresent()) {
                    here.add(key);
                } else if (map.content()
                        .moveOf(slot)
                        .filter(move -> move.involves(partition.name()))
                        .isPresent()) {
                    onTheirWay++;
                } else {
                    elsewhere++;
                    name(named, key);
                }
            }
            owned += here.size();
            if (isFull || asked < READ_OF_A_SAMPLE) {
                Slices.of(here, SlotTransfer.MOST_KEYS).forEach(this::read);
                asked += here.size();
            }
        }

        private static void name(List<String> named, EncodedKey key) {
            if (named.size() < MOST_NAMED) {
                named.add(key.text());
            }
        }

        /** Reads values. Of an aggregate, which has no checksum, only the first piece is read. */
        private void read(List<EncodedKey> keys) {
            List<EncodedKey> left = keys;
            List<EncodedKey> nothing = new ArrayList<>();
            while (!left.isEmpty()) {
                List<Piece> pieces = instances.ask(partition, new SlotTransfer.Export(left));
                for (Piece piece : pieces) {
                    switch (piece.form()) {
                        case NOTHING -> nothing.add(piece.key());
                        case STRING -> judge(piece.key(), piece.words().get(0).bytes());
                        case HASH, LIST, SET, SORTED_SET, COUNTER -> {
                            read++;
                            unproven++;
                        }
                    }
                }
                left = left.subList(pieces.size(), left.size());
            }
            // Invalid data of an earlier incarnation; expired data does not exist any more.
            if (!nothing.isEmpty()) {
                outdated += instances.ask(partition, new SlotTransfer.Weights(nothing)).stream()
                        .filter(weight -> weight > 0)
                        .count();
            }
        }

        /** A lease or a negative, which have no value, has only the checksum of the key. */
        private void judge(EncodedKey key, byte[] stored) {
            Lookup.Outcome outcome = Envelope.outcomeOf(key, Piece.NO_EPOCH, stored);
            boolean isDamaged = switch (outcome) {
                case FOUND -> !isAsWritten(stored);
                case OTHER_KEY -> isAsWritten(stored); // an intact entry of another key
                case LEASED, RESERVED, NEGATIVE, NEWER_FORMAT -> false;
                default -> Envelope.isOurs(key, stored);
            };
            read++;
            unproven += isDamaged || PROVEN.contains(outcome) ? 0 : 1;
            if (isDamaged) {
                damaged++;
                name(namedAsDamaged, key);
            }
        }

        private static boolean isAsWritten(byte[] stored) {
            int offset = Envelope.HEADER_BYTES + (Envelope.isTimed(stored) ? Long.BYTES : 0);
            int length = stored.length - offset - Integer.BYTES;
            if (length < 0) {
                return false;
            }
            int expected = ByteBuffer.wrap(stored).getInt(offset);
            int actual = VerifiedCodec.checksum(stored, offset + Integer.BYTES, length);
            return actual == expected || actual == ~expected; // compressed or encrypted
        }
    }
}
