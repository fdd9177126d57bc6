// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Something to be done by one partition, atomically for each key.
 *
 * <p>What is stored with another epoch, for another key or malformed counts as absent, in every command. So does a
 * lease, and the mark that there is no value (negative): neither is an entry. A write overwrites both, which is what voids
 * a lease.
 *
 * @param <R> what is answered
 */
public sealed interface Command<R>
        permits BulkCommand,
                Command.OfKey,
                Command.GetAll,
                Command.GetAllTracked,
                Command.Put,
                Command.PutAll,
                Command.NewEpoch,
                Command.RemoveAll,
                Command.Scan,
                Command.Served,
                Command.Sizes,
                FenceCommand,
                GroupCommand,
                GroupListing,
                LockCommand,
                PushCommand,
                RegisterCommand,
                ReplicaCommand,
                SlotTransfer,
                TrafficCommand {
    /** The expected stamp of an entry that must not exist. */
    long ABSENT = Envelope.NO_STAMP;

    /** Returns what is known of all commands of its kind. */
    CommandKind<R> kind();

    /** Returns the name for metrics and messages. */
    default String name() {
        return kind().name();
    }

    /** Returns whether the command may be sent again after its answer was lost: once or twice is the same. */
    default boolean isRepeatable() {
        return kind().isRepeatable();
    }

    /** Returns the keys by whose entries it answers or decides; none of a command that writes whatever is there. */
    default List<EncodedKey> consulted() {
        return List.of();
    }

    /** Returns keys it names, at least one of each slot that it is about; none if it is about no slot. */
    default List<EncodedKey> keys() {
        return consulted();
    }

    /** Returns whether it may change something. */
    default boolean isWrite() {
        return kind().isWrite();
    }

    /** Calls the engine's operation for this kind of command. */
    default CompletableFuture<Reply<R>> sendTo(PartitionOperations operations) {
        return kind().operation().apply(operations, this);
    }

    /** A command that answers or decides by what is under one key. */
    sealed interface OfKey<R> extends Command<R> {
        EncodedKey key();

        @Override
        default List<EncodedKey> consulted() {
            return List.of(key());
        }
    }

    /** Answers the entry. */
    record Get(EncodedKey key) implements OfKey<Lookup> {
        @Override
        public CommandKind<Lookup> kind() {
            return CommandKind.GET;
        }
    }

    /**
     * As {@link Get}, and this connection is told when what is there changes. Refused for good if it has not asked to be told of
     * what is asked for: {@link PushCommand.Track#asked}. Answers for how long the entry is there too, as an end that comes by
     * itself need not be told in time. No flag of the other, which would make every read larger.
     */
    record GetTracked(EncodedKey key) implements OfKey<TrackedLookup> {
        @Override
        public CommandKind<TrackedLookup> kind() {
            return CommandKind.GET_TRACKED;
        }
    }

    /** As {@link GetAll}, and as {@link GetTracked} for each of the keys. */
    record GetAllTracked(List<EncodedKey> keys) implements Command<List<TrackedLookup>> {
        @Override
        public List<EncodedKey> consulted() {
            return keys;
        }

        @Override
        public CommandKind<List<TrackedLookup>> kind() {
            return CommandKind.GET_ALL_TRACKED;
        }
    }

    /** Answers the entries, in the order of the keys. */
    record GetAll(List<EncodedKey> keys) implements Command<List<Lookup>> {
        @Override
        public List<EncodedKey> consulted() {
            return keys;
        }

        @Override
        public CommandKind<List<Lookup>> kind() {
            return CommandKind.GET_ALL;
        }
    }

    /** Answers the entry, and lets it expire at another time. */
    record GetAndExpire(EncodedKey key, Expiry expiry) implements OfKey<Lookup> {
        @Override
        public CommandKind<Lookup> kind() {
            return CommandKind.GET_AND_EXPIRE;
        }
    }

    /**
     * Stores an entry, whether or not there is one.
     *
     * @param onCreation when it expires if there was none; not {@code UNCHANGED}
     * @param onUpdate when it expires if there was one
     */
    record Put(EncodedKey key, Envelope envelope, Expiry onCreation, Expiry onUpdate) implements Command<Boolean> {
        @Override
        public List<EncodedKey> keys() {
            return List.of(key);
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.PUT;
        }
    }

    /** Stores entries; answers one reply for each of them, in their order. */
    record PutAll(List<Put> puts) implements Command<List<Reply<Boolean>>> {
        @Override
        public List<EncodedKey> keys() {
            return puts.stream().map(Put::key).toList();
        }

        @Override
        public CommandKind<List<Reply<Boolean>>> kind() {
            return CommandKind.PUT_ALL;
        }
    }

    /**
     * Stores an entry if the present one, or the present lease, has the expected stamp; answers whether it did.
     *
     * @param expectedStamp {@link #ABSENT} if there must be no entry; then a lease is overwritten too, a reservation not
     * @param expiry when it expires; what takes the place of a lease or of nothing never does if this is {@code
     *     UNCHANGED}
     */
    record CompareAndSet(EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry)
            implements OfKey<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.COMPARE_AND_SET;
        }
    }

    /**
     * Removes the entry or lease if it has the expected stamp; answers whether it did.
     *
     * @param expectedStamp {@link #ABSENT} to remove whatever is no entry, a lease among others; the answer is then
     *     whether there is no entry
     */
    record CompareAndRemove(EncodedKey key, long expectedStamp) implements OfKey<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.COMPARE_AND_REMOVE;
        }
    }

    /** Lets the entry or lease expire at another time if it has the expected stamp; answers whether it had. */
    record CompareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry) implements OfKey<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.COMPARE_AND_EXPIRE;
        }
    }

    /**
     * Leases the key to one caller, who is to find the value, unless there is an entry, a lease or a negative.
     *
     * <p>Answers what is there afterwards. It is this lease, now or from an earlier attempt, if {@link
     * Lookup#leaseStamp} is this stamp.
     *
     * @param stamp never {@link #ABSENT}, and another for every lease
     * @param expiry when the lease ends on its own; not {@code UNCHANGED}
     */
    record Lease(EncodedKey key, long stamp, Expiry expiry) implements OfKey<Lookup> {
        @Override
        public CommandKind<Lookup> kind() {
            return CommandKind.LEASE;
        }
    }

    /**
     * Gives an entry another stamp and another end of its freshness, if it has one and the expected stamp. Value and
     * expiry stay. Answers whether the entry has the new stamp: the caller is the one who refreshes it.
     */
    record Claim(EncodedKey key, long expectedStamp, long newStamp, long freshUntilMillis) implements OfKey<Boolean> {
        public Claim {
            if (newStamp == ABSENT || freshUntilMillis == 0) {
                throw new IllegalArgumentException("a claim needs a stamp and an end of the freshness, other than 0");
            }
        }

        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.CLAIM;
        }
    }

    /**
     * Reserves the place of an entry for one writer, who is about to ask the database: no other reservation succeeds before
     * it ends, and no compare-and-set but one that expects its stamp. The entry can be read until then; it has this stamp,
     * and expires with the reservation. Whatever overwrites or removes what is there ends it.
     *
     * <p>Answers what is there afterwards. It is this reservation, now or from an earlier attempt, if {@link Lookup#mark}
     * is this stamp.
     *
     * @param expectedStamp {@link #ABSENT} if there must be no entry, {@link #ANY} to take whatever is there
     * @param stamp never {@link #ABSENT}, and another for every reservation
     * @param lastsMillis when it ends on its own, at least 1; not later than the entry
     */
    record Reserve(EncodedKey key, long expectedStamp, long stamp, long lastsMillis) implements OfKey<Reservation> {
        /** Takes whatever is there. No reservation has this stamp, and so no other one is taken by it. */
        public static final long ANY = -1;

        public Reserve {
            if (stamp == ABSENT || stamp == ANY || lastsMillis < 1) {
                throw new IllegalArgumentException("a reservation needs a stamp, other than 0 and -1, and a time");
            }
        }

        @Override
        public CommandKind<Reservation> kind() {
            return CommandKind.RESERVE;
        }
    }

    /**
     * Gives back a reserved place: the entry has another stamp and expires as said; if there is none, nothing is there
     * afterwards. Answers whether the place was still reserved under the expected stamp.
     *
     * @param expiry not {@code UNCHANGED}
     */
    record GiveBack(EncodedKey key, long expectedStamp, long newStamp, Expiry expiry) implements OfKey<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.RELEASE_LEASE;
        }
    }

    /**
     * Forgets everything that is stored, for every client: none of it is an entry afterwards, on no connection.
     *
     * <p>The epoch is another one from then on. Every connection to the partition is given up before the answer, the one
     * that carried the command included: what is sent on it afterwards is not executed.
     */
    record NewEpoch() implements Command<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.NEW_EPOCH;
        }
    }

    /** Removes whatever is stored; answers the entry that was there. */
    record GetAndRemove(EncodedKey key) implements OfKey<Lookup> {
        @Override
        public CommandKind<Lookup> kind() {
            return CommandKind.GET_AND_REMOVE;
        }
    }

    /** Removes whatever is stored under these keys; answers under how many there was something, an entry or not. */
    record RemoveAll(List<EncodedKey> keys) implements Command<Long> {
        @Override
        public CommandKind<Long> kind() {
            return CommandKind.REMOVE_ALL;
        }
    }

    /**
     * Lists keys, a page at a time. A key that is present from the first page to the last is on at least one of them;
     * any key may be on several. What is under a key need not be an entry.
     *
     * @param cursor {@link ScanPage#START} or what the page before said
     * @param prefix what the listed keys start with
     * @param count about how many keys to look at
     */
    record Scan(String cursor, String prefix, int count) implements Command<ScanPage> {
        @Override
        public CommandKind<ScanPage> kind() {
            return CommandKind.SCAN;
        }
    }

    /** Answers what is known of an entry, without changing when it expires. */
    record Describe(EncodedKey key) implements OfKey<Description> {
        @Override
        public CommandKind<Description> kind() {
            return CommandKind.DESCRIBE;
        }
    }

    /** Answers which slots the server has, as it says itself; empty where no server decides that, or none can be understood. */
    record Served() implements Command<Optional<ServedSlots>> {
        @Override
        public CommandKind<Optional<ServedSlots>> kind() {
            return CommandKind.SERVED;
        }
    }

    /** Answers the size in bytes of what is stored under each key, 0 where there is nothing. */
    record Sizes(List<EncodedKey> keys) implements Command<List<Long>> {
        @Override
        public CommandKind<List<Long>> kind() {
            return CommandKind.SIZES;
        }
    }
}
