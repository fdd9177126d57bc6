// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.slot.SlotSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Something that moves slots from one partition to another. Each may be asked again.
 *
 * <p>It is about physical keys: whatever a partition keeps in a slot has one, be it an entry, a part of it, an aggregate, or
 * what a group knows of itself. What a partition knows of itself has technical keys, which are in no slot: no command here
 * lists or touches them.
 *
 * <p>What changes something says by a {@link Guard} how all its slots must be fenced, and changes nothing otherwise. So nobody
 * changes anything who was replaced by another coordinator, whenever what he has sent arrives.
 *
 * @param <R> what is answered
 */
public sealed interface SlotTransfer<R> extends Command<R> {
    /** The keys of one export, import or purge. */
    int MOST_KEYS = 500;

    /** About the bytes of one answer, beyond which it ends with the piece that exceeded them. */
    int MOST_BYTES = 1024 * 1024;

    /** The slots of one question about what was written. */
    int MOST_SLOTS = 512;

    /**
     * How the slots of a command must be fenced.
     *
     * @param state of their fences
     * @param move of their fences
     * @param coordinator who asks; nobody with a higher number has set a fence at this partition
     * @param slots which slot each key is in
     */
    record Guard(SlotFence.State state, String move, long coordinator, KeySlots slots) {
        /** Creates a guard by a map without placements. */
        public Guard(SlotFence.State state, String move, long coordinator) {
            this(state, move, coordinator, KeySlots.HASHED);
        }

        /** Returns whether a key is in one of these slots. */
        public Predicate<EncodedKey> keysOf(SlotSet some) {
            return key -> some.contains(slots.slotOf(key));
        }
    }

    /**
     * Lists physical keys, a page at a time, as {@link Command.Scan} does; of the client's namespace, and without technical ones.
     *
     * @param cursor {@link ScanPage#START} or what the page before said
     * @param wanted which of them to list
     * @param count about how many keys to look at
     */
    record Keys(String cursor, Predicate<EncodedKey> wanted, int count) implements SlotTransfer<ScanPage> {
        private static final String OURS = "keyslot:";
        private static final String OF_A_GROUP = "keyslot:{";

        /** Returns whether it lists a key that is there, for a client with this namespace. */
        public boolean lists(EncodedKey key, String namespace) {
            if (!wanted.test(key)) {
                return false;
            }
            String text = key.text();
            return !isTechnical(text) && namespaceOf(text).equals(namespace);
        }

        /** Of what begins like ours, only what has the tag of something else is in its slot. */
        private static boolean isTechnical(String text) {
            return text.startsWith(OURS) && !text.startsWith(OF_A_GROUP);
        }

        private static String namespaceOf(String text) {
            int slash = text.indexOf('/');
            return slash >= 0 && slash < text.indexOf(':') ? text.substring(0, slash) : "";
        }

        @Override
        public CommandKind<ScanPage> kind() {
            return CommandKind.SLOT_KEYS;
        }
    }

    /**
     * Answers what is under the first of these keys, one piece each and in their order: as many as are within {@link
     * #MOST_BYTES}, at least one.
     */
    record Export(List<EncodedKey> keys) implements SlotTransfer<List<Piece>> {
        public Export {
            keys = List.copyOf(keys);
            requireAtMost(MOST_KEYS, keys);
        }

        @Override
        public CommandKind<List<Piece>> kind() {
            return CommandKind.EXPORT;
        }
    }

    /** Answers the next piece of what is under a key; nothing, which is the last, if something else is there by now. */
    record ExportRest(EncodedKey key, Piece.Form form, String from) implements SlotTransfer<Piece> {
        @Override
        public CommandKind<Piece> kind() {
            return CommandKind.EXPORT_REST;
        }
    }

    /** Stores pieces, each as its key was at the source. Answers whether the slots are as guarded. */
    record Import(Guard guard, List<Piece> pieces) implements SlotTransfer<Boolean> {
        public Import {
            pieces = List.copyOf(pieces);
            requireAtMost(MOST_KEYS, pieces);
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.IMPORT;
        }
    }

    /** Removes whatever is under these keys. Answers whether the slots are as guarded. */
    record Purge(Guard guard, List<EncodedKey> keys) implements SlotTransfer<Boolean> {
        public Purge {
            keys = List.copyOf(keys);
            requireAtMost(MOST_KEYS, keys);
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.PURGE;
        }
    }

    /**
     * Answers which keys writes have named in these slots since the slots were fenced, and were not forgotten: at most so
     * many for each slot. A slot without any is left out.
     */
    record ReadDirty(Guard guard, List<Integer> slots, int atMost) implements SlotTransfer<List<Dirty>> {
        public ReadDirty {
            slots = List.copyOf(slots);
            requireAtMost(MOST_SLOTS, slots);
        }

        @Override
        public CommandKind<List<Dirty>> kind() {
            return CommandKind.READ_DIRTY;
        }
    }

    /**
     * What was written in a slot.
     *
     * @param isKnown false if the slot is not as guarded, or if nobody knows any more what was written: then all of it is to
     *     be copied again
     */
    record Dirty(int slot, boolean isKnown, List<EncodedKey> keys) {}

    /**
     * Forgets that writes have named these keys. Answers whether the slot is as guarded. Who forgets before the export copies
     * what is written in between once more; who forgets behind it loses it.
     */
    record ForgetDirty(Guard guard, int slot, List<EncodedKey> keys) implements SlotTransfer<Boolean> {
        public ForgetDirty {
            keys = List.copyOf(keys);
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.FORGET_DIRTY;
        }
    }

    /** Answers about how many bytes the partition needs for what is under each key. */
    record Weights(List<EncodedKey> keys) implements SlotTransfer<List<Long>> {
        public Weights {
            keys = List.copyOf(keys);
            requireAtMost(MOST_KEYS, keys);
        }

        @Override
        public CommandKind<List<Long>> kind() {
            return CommandKind.WEIGHTS;
        }
    }

    /** Answers what memory the partition has. */
    record Memory() implements SlotTransfer<MemoryUse> {
        @Override
        public CommandKind<MemoryUse> kind() {
            return CommandKind.MEMORY;
        }
    }

    /**
     * What memory a partition has.
     *
     * @param usedBytes by all that it keeps
     * @param mostBytes it may use, 0 if nobody says
     * @param keys how many it has about, technical ones and those of others included
     */
    record MemoryUse(long usedBytes, long mostBytes, long keys) {
        /** Returns what is free, as far as somebody has said how much there is. */
        public long freeBytes() {
            return mostBytes == 0 ? Long.MAX_VALUE : Math.max(0, mostBytes - usedBytes);
        }
    }

    /** Answers who is connected to the partition, this connection left out. */
    record ListClients() implements SlotTransfer<List<Peer>> {
        @Override
        public CommandKind<List<Peer>> kind() {
            return CommandKind.LIST_CLIENTS;
        }
    }

    /**
     * Somebody who is connected.
     *
     * @param id by which it is dismissed
     * @param name as it calls itself
     * @param isOurs whether it is a client of Keyslot
     * @param mapVersion by which it routes at least, {@link #ENTERING} if it may not be sent anything yet, or is not ours
     * @param ageSeconds since it has connected
     */
    record Peer(long id, String name, boolean isOurs, long mapVersion, long ageSeconds) {
        /** No version of a map. */
        public static final long ENTERING = -1;

        /** Returns whether it may still be routed by an older map than this one. */
        public boolean isBehind(long version) {
            return isOurs && mapVersion != ENTERING && mapVersion < version;
        }
    }

    /** Ends the connections with these numbers: what was not executed by then never is. Answers how many there were. */
    record Dismiss(List<Long> ids) implements SlotTransfer<Long> {
        public Dismiss {
            ids = List.copyOf(ids);
        }

        @Override
        public CommandKind<Long> kind() {
            return CommandKind.DISMISS;
        }
    }

    /**
     * Writes down how far the move is that the partition has part in, for whoever asks; what was there before is gone. It is kept
     * for {@link #KEPT_MILLIS}, and nothing depends on it.
     */
    record Note(String text) implements SlotTransfer<Boolean> {
        /** How long it is kept. */
        public static final long KEPT_MILLIS = 3_600_000;

        /** The most characters. */
        public static final int LONGEST = 8 * 1024;

        public Note {
            if (text.length() > LONGEST) {
                throw new IllegalArgumentException(
                        "A note of %d characters, may have %d".formatted(text.length(), LONGEST));
            }
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.NOTE;
        }
    }

    /** Answers what was written down last. */
    record ReadNote() implements SlotTransfer<Noted> {
        @Override
        public CommandKind<Noted> kind() {
            return CommandKind.READ_NOTE;
        }
    }

    /**
     * What was written down.
     *
     * @param text empty if there is nothing
     * @param ageMillis how long ago
     */
    record Noted(String text, long ageMillis) {
        public static final Noted NOTHING = new Noted("", 0);
    }

    /** One operation for each kind of these; an engine implements them. They neither throw nor block. */
    interface Operations {
        CompletableFuture<Reply<ScanPage>> keys(Keys command);

        CompletableFuture<Reply<List<Piece>>> export(Export command);

        CompletableFuture<Reply<Piece>> exportRest(ExportRest command);

        CompletableFuture<Reply<Boolean>> importPieces(Import command);

        CompletableFuture<Reply<Boolean>> purge(Purge command);

        CompletableFuture<Reply<List<Dirty>>> readDirty(ReadDirty command);

        CompletableFuture<Reply<Boolean>> forgetDirty(ForgetDirty command);

        CompletableFuture<Reply<List<Long>>> weights(Weights command);

        CompletableFuture<Reply<MemoryUse>> memory(Memory command);

        CompletableFuture<Reply<List<Peer>>> listClients(ListClients command);

        CompletableFuture<Reply<Long>> dismiss(Dismiss command);

        CompletableFuture<Reply<Boolean>> note(Note command);

        CompletableFuture<Reply<Noted>> readNote(ReadNote command);
    }

    private static void requireAtMost(int most, List<?> those) {
        if (those.size() > most) {
            throw new IllegalArgumentException("%d are asked for at once, %d may be".formatted(those.size(), most));
        }
    }
}
