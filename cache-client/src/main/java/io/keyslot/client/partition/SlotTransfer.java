// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.slot.SlotSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A command that moves slots between partitions. All of them are repeatable.
 *
 * <p>They work on physical keys: entries, chunks of entries, aggregates, and the bookkeeping of groups. The partition's
 * own bookkeeping has technical keys outside all slots; no command here lists or changes them.
 *
 * <p>A changing command has a {@link Guard}, and changes nothing unless all its slots are fenced as the guard says. So
 * late commands of a replaced coordinator have no effect.
 */
public sealed interface SlotTransfer<R> extends Command<R> {
    /** The maximum number of keys, or of pieces, of a command. */
    int MOST_KEYS = 500;

    /** The approximate maximum bytes of an answer, which ends with the piece that exceeds them. */
    int MOST_BYTES = 1024 * 1024;

    int MOST_SLOTS = 512;

    /**
     * The required fence of the slots of a command. No coordinator of the move with a higher number than
     * {@code coordinator} may have set a fence at this partition.
     */
    record Guard(SlotFence.State state, String move, long coordinator, KeySlots slots) {
        public Guard(SlotFence.State state, String move, long coordinator) {
            this(state, move, coordinator, KeySlots.HASHED);
        }

        public Predicate<EncodedKey> keysOf(SlotSet some) {
            return key -> some.contains(slots.slotOf(key));
        }
    }

    /** Lists physical keys of the client's namespace, without technical keys, in pages like {@link Command.Scan}. */
    record Keys(String cursor, Predicate<EncodedKey> wanted, int count) implements SlotTransfer<ScanPage> {
        private static final String OURS = "keyslot:";
        private static final String OF_A_GROUP = "keyslot:{";

        public boolean lists(EncodedKey key, String namespace) {
            if (!wanted.test(key)) {
                return false;
            }
            String text = key.text();
            return !isTechnical(text) && namespaceOf(text).equals(namespace);
        }

        /** Of the keys with this prefix, only those of groups move; copies of entries stay, as they end soon. */
        private static boolean isTechnical(String text) {
            return text.startsWith(OURS) && !text.startsWith(OF_A_GROUP);
        }

        private static String namespaceOf(String text) {
            int slash = text.indexOf('/');
            return slash >= 0 && slash < text.indexOf(':') ? text.substring(0, slash) : "";
        }
    }

    /**
     * Exports the first of these keys, one piece each and in order: at least one, and as many as fit into
     * {@link #MOST_BYTES}.
     */
    record Export(List<EncodedKey> keys) implements SlotTransfer<List<Piece>> {}

    /** Exports the next piece of a key; an empty last piece if the value was replaced meanwhile. */
    record ExportRest(EncodedKey key, Piece.Form form, String from) implements SlotTransfer<Piece> {}

    /**
     * Stores pieces with the state that their keys had at the source. Answers whether the slots are fenced as guarded.
     */
    record Import(Guard guard, List<Piece> pieces) implements SlotTransfer<Boolean> {}

    /** Removes the values of these keys. Answers whether the slots are fenced as guarded. */
    record Purge(Guard guard, List<EncodedKey> keys) implements SlotTransfer<Boolean> {}

    /**
     * Reads the keys that writes have named in these slots since the slots were fenced and that were not forgotten, at
     * most {@code atMost} per slot. The answer omits slots without such keys.
     */
    record ReadDirty(Guard guard, List<Integer> slots, int atMost) implements SlotTransfer<List<Dirty>> {}

    /**
     * The written keys of a slot. {@code isKnown} is false if the slot is not fenced as guarded or the record was lost;
     * then the whole slot must be copied again.
     */
    record Dirty(int slot, boolean isKnown, List<EncodedKey> keys) {}

    /**
     * Removes keys from the record of writes. Answers whether the slot is fenced as guarded. Forget before the export:
     * a write in between is then copied once more, while forgetting after the export would lose it.
     */
    record ForgetDirty(Guard guard, int slot, List<EncodedKey> keys) implements SlotTransfer<Boolean> {}

    /** Answers the approximate memory use in bytes of each key. */
    record Weights(List<EncodedKey> keys) implements SlotTransfer<List<Long>> {}

    record Memory() implements SlotTransfer<MemoryUse> {}

    /**
     * The memory use of a partition; {@code mostBytes} is 0 without a limit, {@code keys} is approximate and includes
     * technical and foreign keys; {@code policy} is the server's {@code maxmemory_policy}, empty if unknown.
     */
    record MemoryUse(long usedBytes, long mostBytes, long keys, String policy, ServerFacts server) {
        public MemoryUse(long usedBytes, long mostBytes, long keys, String policy) {
            this(usedBytes, mostBytes, keys, policy, new ServerFacts("", "", null));
        }

        public long freeBytes() {
            return mostBytes == 0 ? Long.MAX_VALUE : Math.max(0, mostBytes - usedBytes);
        }
    }

    /**
     * The product and version of a server, such as "Valkey 8.1.1", its role, {@code master} or {@code slave}, and how many
     * keys it has evicted since its start; empty or null if unknown.
     */
    record ServerFacts(
            String version, String role, @Nullable Long evictedKeys) {}

    /** Lists the connections to the partition except this one. */
    record ListClients() implements SlotTransfer<List<Peer>> {}

    /**
     * A connection of another client. {@code mapVersion} is the minimum version by which it routes, {@link #ENTERING}
     * if it may not send commands yet or is not a client of Keyslot.
     */
    record Peer(long id, String name, boolean isOurs, long mapVersion, long ageSeconds) {
        public static final long ENTERING = -1;

        /** Returns whether it may still send commands routed by a map older than this version. */
        public boolean isBehind(long version) {
            return isOurs && mapVersion != ENTERING && mapVersion < version;
        }
    }

    /** Closes connections; their commands that were not executed yet are dropped. Answers how many there were. */
    record Dismiss(List<Long> ids) implements SlotTransfer<Long> {}

    /**
     * Stores the progress text of a move to the partition, in place of the previous one, for {@link #KEPT_MILLIS}. It is
     * informational only. The name is empty for the last text of a move that has ended.
     */
    record Note(String move, String text) implements SlotTransfer<Boolean> {
        public static final long KEPT_MILLIS = 3_600_000;

        public static final int LONGEST = 8 * 1024;

        public Note {
            if (text.length() > LONGEST) {
                throw new IllegalArgumentException(
                        "A note of %d characters, may have %d".formatted(text.length(), LONGEST));
            }
        }
    }

    record ReadNote(String move) implements SlotTransfer<Noted> {}

    record Noted(String text, long ageMillis) {
        public static final Noted NOTHING = new Noted("", 0);
    }
}
