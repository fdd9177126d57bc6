// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.partition.Command;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an entry: its value and stamp, why there is none, or that its partition could not be asked.
 *
 * @param kind which of these
 * @param stored the decoded value, of an entry that is fresh or stale
 * @param mark the stamp of the entry, or of the lease in its place; 0 otherwise
 * @param freshUntil until when the entry is fresh, in milliseconds since 1970; 0 for as long as it is there
 * @param claimedUntil until when a process has claimed to load it again, in milliseconds since 1970; 0 if none has
 * @param isReserved whether the place is reserved for a writer: nobody else can change what is there until it is done
 * @param failure why it is not known, null if it is
 * @param <V> the type of the values
 */
public record Answer<V>(
        Kind kind,
        @Nullable V stored,
        long mark,
        long freshUntil,
        long claimedUntil,
        boolean isReserved,
        @Nullable KeyslotException failure) {

    /** What a change of a reserved entry expects: no entry has it, and so the change is not made. */
    private static final long NOBODYS = Long.MIN_VALUE;

    /** Whether there is an entry, and why not. Everything but {@code FRESH} is a miss. */
    public enum Kind {
        FRESH,
        /** There is an entry whose time is over; the partition keeps it for those who may serve it all the same. */
        STALE,
        ABSENT,
        /** There is no entry, and a process is loading it. */
        LEASED,
        /** There is no entry, and it is known that there is no value to load. */
        NEGATIVE,
        /** There is an entry of an earlier life of the partition. */
        OTHER_EPOCH,
        /** There are bytes that cannot be read. */
        UNREADABLE,
        /** The partition could not be asked. */
        UNKNOWN
    }

    /** Returns the answer of an entry that is there and fresh as long as it is. */
    static <V> Answer<V> fresh(V value, long stamp) {
        return new Answer<>(Kind.FRESH, value, stamp, 0, 0, false, null);
    }

    /** Returns the answer of an entry that is there. */
    static <V> Answer<V> found(V value, long stamp, Freshness freshness, long now) {
        boolean isFresh = freshness.until() == 0 || freshness.until() > now;
        return new Answer<>(
                isFresh ? Kind.FRESH : Kind.STALE,
                value,
                stamp,
                freshness.until(),
                freshness.claimedUntil(),
                false,
                null);
    }

    /** Returns the answer of an entry of which there is a copy, as long as it is fresh. */
    public static <V> Answer<V> kept(V value, long stamp, long freshUntil) {
        return new Answer<>(Kind.FRESH, value, stamp, freshUntil, 0, false, null);
    }

    static <V> Answer<V> leased(long leaseStamp) {
        return new Answer<>(Kind.LEASED, null, leaseStamp, 0, 0, false, null);
    }

    /** Returns the same of an entry or a lease whose place is reserved. */
    Answer<V> reserved() {
        return new Answer<>(kind, stored, NOBODYS, freshUntil, claimedUntil, true, failure);
    }

    /** Returns the answer of an entry that is not there. */
    public static <V> Answer<V> without(Kind kind) {
        return new Answer<>(kind, null, Command.ABSENT, 0, 0, false, null);
    }

    static <V> Answer<V> failed(KeyslotException failure) {
        return new Answer<>(Kind.UNKNOWN, null, Command.ABSENT, 0, 0, false, failure);
    }

    /** Returns whether it is known that there is an entry, and that its time is not over. */
    public boolean isPresent() {
        return kind == Kind.FRESH;
    }

    /** Returns the value of an entry that is present, null otherwise. */
    public @Nullable V value() {
        return isPresent() ? stored : null;
    }

    /** Returns the stamp that a change of what is there has to expect, {@link Command#ABSENT} if there is no entry. */
    public long stamp() {
        return isPresent() || kind == Kind.STALE ? mark : Command.ABSENT;
    }

    /** Returns the stamp of the lease in the entry's place, 0 if there is none. */
    public long leaseStamp() {
        return kind == Kind.LEASED ? mark : 0;
    }

    /** Returns whether nothing is known, for another reason than that the partition is missing. */
    boolean isError() {
        return failure != null && !Failures.isOutage(failure);
    }

    /** Returns this answer, or throws if it is none for another reason than that the partition is missing. */
    public Answer<V> knownOrMissing() {
        return isError() ? orThrow() : this;
    }

    /** Returns this answer if something is known, or throws the failure. */
    public Answer<V> orThrow() {
        if (failure != null) {
            throw failure;
        }
        return this;
    }
}
