// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.MissCause;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * The result of looking up an entry: its value, the reason why there is none, or the failure of the lookup.
 * {@code mark} is the stamp of the entry or of the lease in its place, or 0. {@code freshUntil} and
 * {@code claimedUntil}, the end of another process's claim to reload it, are in milliseconds since 1970, or 0. A
 * reserved entry is being changed by a writer; no other process can change it. {@code entry} is the stored form of a fresh
 * value, if it is known.
 */
record Answer<V>(
        Kind kind,
        @Nullable V stored,
        long mark,
        long freshUntil,
        long claimedUntil,
        boolean isReserved,
        @Nullable KeyslotException failure,
        @Nullable Envelope entry) {

    /** The expected stamp of a change of a reserved entry. No entry has this stamp, so the change is not made. */
    private static final long NOBODYS = Long.MIN_VALUE;

    enum Kind {
        FRESH(null),
        /** The freshness is over; the partition keeps the entry for callers that may serve stale values. */
        STALE(MissCause.EXPIRED),
        ABSENT(null),
        LEASED(null),
        /** A stored marker says that there is no value to load. */
        NEGATIVE(MissCause.NO_VALUE),
        /** The entry was written in an earlier epoch of the partition. */
        OTHER_EPOCH(MissCause.OTHER_EPOCH),
        UNREADABLE(MissCause.UNDECODABLE),
        UNKNOWN(MissCause.PARTITION_MISSING);

        /** The cause of such a miss; null if it is not known. */
        final @Nullable MissCause cause;

        Kind(@Nullable MissCause cause) {
            this.cause = cause;
        }
    }

    static <V> Answer<V> fresh(V value, Envelope entry) {
        return new Answer<>(Kind.FRESH, value, entry.stamp(), 0, 0, false, null, entry);
    }

    static <V> Answer<V> found(V value, long stamp, Freshness freshness, long now) {
        boolean isFresh = freshness.until() == 0 || freshness.until() > now;
        return new Answer<>(
                isFresh ? Kind.FRESH : Kind.STALE,
                value,
                stamp,
                freshness.until(),
                freshness.claimedUntil(),
                false,
                null,
                null);
    }

    static <V> Answer<V> leased(long leaseStamp) {
        return new Answer<>(Kind.LEASED, null, leaseStamp, 0, 0, false, null, null);
    }

    Answer<V> reserved() {
        return new Answer<>(kind, stored, NOBODYS, freshUntil, claimedUntil, true, failure, null);
    }

    static <V> Answer<V> without(Kind kind) {
        return new Answer<>(kind, null, Command.ABSENT, 0, 0, false, null, null);
    }

    static <V> Answer<V> failed(KeyslotException failure) {
        return new Answer<>(Kind.UNKNOWN, null, Command.ABSENT, 0, 0, false, failure, null);
    }

    boolean isPresent() {
        return kind == Kind.FRESH;
    }

    /** Returns the value of a fresh entry, or null. */
    @Nullable
    V value() {
        return isPresent() ? stored : null;
    }

    /** Returns the stamp that a change of the entry has to expect, or {@link Command#ABSENT} if there is no entry. */
    long stamp() {
        return isPresent() || kind == Kind.STALE ? mark : Command.ABSENT;
    }

    long leaseStamp() {
        return kind == Kind.LEASED ? mark : 0;
    }

    /** Returns whether the lookup failed for another reason than an outage of the partition. */
    boolean isError() {
        return failure != null && !Failures.isOutage(failure);
    }

    /** Returns this answer, or throws its failure unless that is an outage of the partition. */
    Answer<V> knownOrMissing() {
        return isError() ? orThrow() : this;
    }

    Answer<V> orThrow() {
        if (failure != null) {
            throw failure;
        }
        return this;
    }
}
