// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A command that one partition executes, atomically for each key.
 *
 * <p>All commands treat a stored value as absent if it has another epoch, belongs to another key, or is malformed. A
 * lease and a negative (the mark that there is no value) are not entries either; a write overwrites both, which ends
 * the lease.
 *
 * <p>The collections of commands and answers are not changed after their creation.
 */
public sealed interface Command<R>
        permits BulkCommand,
                Command.OfKey,
                Command.GetAll,
                Command.GetAllTracked,
                Command.Erase,
                Command.Put,
                Command.PutAll,
                Command.NewEpoch,
                Command.RemoveAll,
                Command.Scan,
                Command.Served,
                Command.Track,
                FeedCommand,
                FenceCommand,
                GroupCommand,
                GroupListing,
                LockCommand,
                QueueCommand,
                RegisterCommand,
                ReplicaCommand,
                SlotTransfer,
                TrafficCommand {
    long ABSENT = Envelope.NO_STAMP;

    default String name() {
        return CommandKind.of(this).name();
    }

    /**
     * Returns whether the command may be sent again after its answer was lost, because executing it twice has the same
     * effect as once.
     */
    default boolean isRepeatable() {
        return CommandKind.of(this).isRepeatable();
    }

    /** Returns the keys whose entries determine the answer or the effect; empty for unconditional writes. */
    default List<EncodedKey> consulted() {
        return List.of();
    }

    /** Returns at least one key of each slot that the command affects; empty if it affects no slot. */
    default List<EncodedKey> keys() {
        return consulted();
    }

    default boolean isWrite() {
        return CommandKind.of(this).isWrite();
    }

    sealed interface OfKey<R> extends Command<R> {
        EncodedKey key();

        @Override
        default List<EncodedKey> consulted() {
            return List.of(key());
        }
    }

    record Get(EncodedKey key) implements OfKey<Lookup> {}

    /**
     * Reads an entry and tracks it: the connection receives an invalidation when it changes. Refused for good unless
     * {@link Track} was sent. Also answers the remaining lifetime, because an expiry need not be
     * reported in time. A flag in {@link Get} instead would make every read larger.
     */
    record GetTracked(EncodedKey key) implements OfKey<TrackedLookup> {}

    /**
     * Starts invalidations on this connection; see {@link PartitionConnection#listen}. Answers true. Refused for good if
     * the partition cannot send them in the order of its replies.
     *
     * <p>The partition reports changes of the keys that tracked reads have read on this connection, each once after its last
     * read, and possibly of others. Changes by this connection are reported too, at the latest right after their replies. An
     * expiry may be reported only once a client accesses the entry.
     */
    record Track() implements Command<Boolean> {}

    record GetAllTracked(List<EncodedKey> keys) implements Command<List<TrackedLookup>> {
        @Override
        public List<EncodedKey> consulted() {
            return keys;
        }
    }

    /** Reads entries and answers them in the order of the keys. */
    record GetAll(List<EncodedKey> keys) implements Command<List<Lookup>> {
        @Override
        public List<EncodedKey> consulted() {
            return keys;
        }
    }

    record GetAndExpire(EncodedKey key, Expiry expiry) implements OfKey<Lookup> {}

    /** Stores an entry unconditionally; {@code onCreation}, the expiry of a new entry, is not {@code UNCHANGED}. */
    record Put(EncodedKey key, Envelope envelope, Expiry onCreation, Expiry onUpdate) implements Command<Boolean> {
        @Override
        public List<EncodedKey> keys() {
            return List.of(key);
        }
    }

    /** Stores entries; answers one reply for each of them, in their order. */
    record PutAll(List<Put> puts) implements Command<List<Reply<Boolean>>> {
        @Override
        public List<EncodedKey> keys() {
            return puts.stream().map(Put::key).toList();
        }
    }

    /**
     * Stores an entry if the present entry or lease has the expected stamp; answers whether it did. {@link #ABSENT}
     * expects no entry, and also overwrites a lease, but not a reservation. A new entry with the expiry
     * {@code UNCHANGED} does not expire.
     *
     * @param expected the entry with the expected stamp, which a server may compare; null if its bytes are not known
     */
    record CompareAndSet(
            EncodedKey key,
            long expectedStamp,
            Envelope envelope,
            Expiry expiry,
            @Nullable Envelope expected) implements OfKey<Boolean> {
        public CompareAndSet(EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry) {
            this(key, expectedStamp, envelope, expiry, null);
        }
    }

    /**
     * Removes the entry or lease if it has the expected stamp; answers whether it did. {@link #ABSENT} removes anything
     * that is not an entry, such as a lease, and answers whether there is no entry.
     */
    record CompareAndRemove(EncodedKey key, long expectedStamp) implements OfKey<Boolean> {}

    /** Sets the expiry of the entry or lease if it has the expected stamp; answers whether it has. */
    record CompareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry) implements OfKey<Boolean> {}

    /**
     * Leases the key to one caller, which loads the value, unless there is an entry, a lease or a negative. Answers the
     * resulting state. The caller holds the lease, from this attempt or an earlier one, if {@link Lookup#leaseStamp} is
     * {@code stamp}, which is unique and not {@link #ABSENT}. {@code expiry} is not {@code UNCHANGED}.
     */
    record Lease(EncodedKey key, long stamp, Expiry expiry) implements OfKey<Lookup> {}

    /**
     * Gives an entry another stamp and another end of its freshness if it has the expected stamp and an end of
     * freshness. Value and expiry do not change. Answers whether the entry has the new stamp; then this caller
     * refreshes it.
     */
    record Claim(EncodedKey key, long expectedStamp, long newStamp, long freshUntilMillis) implements OfKey<Boolean> {
        public Claim {
            if (newStamp == ABSENT || freshUntilMillis == 0) {
                throw new IllegalArgumentException("a claim needs a stamp and an end of the freshness, other than 0");
            }
        }
    }

    /**
     * Reserves an entry for one writer, which is about to call the database. Until the reservation ends, no other
     * reservation succeeds, and no compare-and-set except with its stamp. The entry stays readable; it has this stamp
     * and expires with the reservation. Overwriting or removing the entry ends the reservation.
     *
     * <p>Answers the resulting state. The caller holds the reservation, from this attempt or an earlier one, if
     * {@link Lookup#mark} is {@code stamp}, which is unique and not {@link #ABSENT}. {@code expectedStamp} is
     * {@link #ABSENT} if there must be no entry, {@link #ANY} for any state. The reservation ends with the entry at the
     * latest.
     */
    record Reserve(EncodedKey key, long expectedStamp, long stamp, long lastsMillis) implements OfKey<Reservation> {
        /** Accepts any present entry, or none. No reservation has this stamp, so it never takes another reservation. */
        public static final long ANY = -1;

        public Reserve {
            if (stamp == ABSENT || stamp == ANY || lastsMillis < 1) {
                throw new IllegalArgumentException("a reservation needs a stamp, other than 0 and -1, and a time");
            }
        }
    }

    /**
     * Ends a reservation: gives the entry the new stamp and expiry (not {@code UNCHANGED}), or removes the marker if
     * there is no entry. Answers whether the key was still reserved with the expected stamp.
     */
    record GiveBack(EncodedKey key, long expectedStamp, long newStamp, Expiry expiry) implements OfKey<Boolean> {}

    /**
     * Invalidates all entries for all clients by changing the epoch. All connections to the partition are closed before
     * the answer, including the one that carried the command; commands sent on it afterwards are not executed.
     */
    record NewEpoch() implements Command<Boolean> {}

    /** Removes the value of a key; answers the entry that it held. */
    record GetAndRemove(EncodedKey key) implements OfKey<Lookup> {}

    /** Removes the values of these keys; answers how many keys had a value, entry or not. */
    record RemoveAll(List<EncodedKey> keys) implements Command<Long> {}

    /**
     * Lists keys, one page at a time. A key that exists from the first page to the last is on at least one of them; any
     * key may be on several, and need not hold an entry. {@code cursor} is {@link ScanPage#START} or the previous
     * page's; {@code infix} is a text behind the prefix, possibly empty; {@code count} is the approximate number of keys to
     * examine.
     */
    record Scan(String cursor, String prefix, String infix, int count) implements Command<ScanPage> {
        /** Lists all keys with a prefix. */
        public Scan(String cursor, String prefix, int count) {
            this(cursor, prefix, "", count);
        }
    }

    /** Removes whatever is stored under keys of one slot, of any type, epoch and format; answers how many there were. */
    record Erase(List<EncodedKey> keys) implements Command<Long> {}

    record Describe(EncodedKey key) implements OfKey<Description> {}

    /**
     * Answers the slots that the server reports as its own; empty if the engine has no such report or it is unreadable.
     */
    record Served() implements Command<Optional<ServedSlots>> {}

    /**
     * The properties of an entry. The size is 0 if nothing is stored; {@code expiresInMillis} is negative if it does not
     * expire or nothing is stored; {@code epoch} is that of valid entries.
     */
    record Description(Lookup lookup, long sizeBytes, long expiresInMillis, int epoch) {}

    /**
     * The state of an entry after an attempt to reserve it, and the time that it had left before; negative if it would not
     * expire or if there is none.
     */
    record Reservation(Lookup now, long expiresInMillis) {}

    /**
     * The result of a tracked read, with the remaining lifetime, because an entry may expire without an invalidation:
     * {@link #ENDLESS} if it does not expire, {@link #UNKNOWN} if that is unknown or there is no entry.
     */
    record TrackedLookup(Lookup lookup, long millisLeft) {
        public static final long ENDLESS = Long.MAX_VALUE;
        public static final long UNKNOWN = 0;

        public static TrackedLookup passing(Lookup lookup) {
            return new TrackedLookup(lookup, UNKNOWN);
        }

        /** Returns a result with the remaining milliseconds as engines report them: -1 for no expiry, else at least 0. */
        public static TrackedLookup lasting(Lookup lookup, long millis) {
            return new TrackedLookup(lookup, millis == -1 ? ENDLESS : Math.max(UNKNOWN, millis));
        }
    }

    /**
     * The slots that a server reports at one moment: their owners, those that migrate away with their new owners, which may
     * already have some of the keys, and those that arrive. Immutable.
     */
    record ServedSlots(SlotMap owners, Map<Integer, PartitionId> leaving, Set<Integer> arriving) {
        public ServedSlots {
            leaving = Map.copyOf(leaving);
            arriving = Set.copyOf(arriving);
        }

        /** Returns whether a partition has all slots that it has by the other map. */
        public boolean hasAll(PartitionId partition, SlotMap other) {
            return other.rangesOf(partition).stream()
                    .flatMapToInt(range -> IntStream.rangeClosed(range.first(), range.last()))
                    .allMatch(slot ->
                            owners.ownerOf(slot).filter(partition::equals).isPresent());
        }

        /** Returns the other partition that may have keys of a slot that this server no longer has. */
        public Optional<PartitionId> elsewhere(int slot, PartitionId server) {
            PartitionId to = leaving.get(slot);
            if (to != null) {
                return Optional.of(to);
            }
            return arriving.contains(slot)
                    ? Optional.empty()
                    : owners.ownerOf(slot).filter(owner -> !owner.equals(server));
        }
    }
}
