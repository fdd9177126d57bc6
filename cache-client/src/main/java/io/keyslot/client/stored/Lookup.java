// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import org.jspecify.annotations.Nullable;

/**
 * What a partition holds under a key.
 *
 * @param outcome whether there is an entry, and why not
 * @param envelope the entry, not null if and only if the outcome is {@code FOUND}
 * @param leaseStamp the stamp of the lease or of the reservation, 0 if the outcome is neither {@code LEASED} nor {@code
 *     RESERVED}
 */
public record Lookup(Outcome outcome, @Nullable Envelope envelope, long leaseStamp) {
    private static final Lookup ABSENT = without(Outcome.ABSENT);

    /** Whether there is an entry, and why not. Everything but {@code FOUND} is a miss. */
    public enum Outcome {
        FOUND,
        /** There is nothing, or it has expired. */
        ABSENT,
        /** There is a lease: somebody is finding out the value. */
        LEASED,
        /** There is no entry, and the place is reserved for a writer. */
        RESERVED,
        /** Somebody has found out that there is no value. */
        NEGATIVE,
        /** Written under another ownership of the slot, or before the partition was restarted. */
        OTHER_EPOCH,
        /** The bytes were written for another key. */
        OTHER_KEY,
        /** Written by a newer version of this software; to be left alone. */
        NEWER_FORMAT,
        /** Written by a cache of the same name whose values have a header, and this one's have none. */
        OTHER_LAYOUT,
        /** Not written by this software. */
        MALFORMED,
        /** It is out of date, and this process has not been able to delete it. */
        OUTDATED,
        /** It is out of date, and its deletion is under way. */
        BEING_DELETED;

        /** Returns whether there is something that this version, or this life of the partition, takes for nothing. */
        public boolean isUnreadable() {
            return switch (this) {
                case FOUND, ABSENT, LEASED, RESERVED, NEGATIVE, OUTDATED, BEING_DELETED -> false;
                case OTHER_EPOCH, OTHER_KEY, NEWER_FORMAT, OTHER_LAYOUT, MALFORMED -> true;
            };
        }
    }

    public static Lookup of(Envelope envelope) {
        return new Lookup(Outcome.FOUND, envelope, Envelope.NO_STAMP);
    }

    public static Lookup absent() {
        return ABSENT;
    }

    /** Returns that there is the lease with this stamp. */
    public static Lookup leased(long stamp) {
        return new Lookup(Outcome.LEASED, null, stamp);
    }

    /** Returns that there is no entry, and that the place is reserved under this stamp. */
    public static Lookup reserved(long stamp) {
        return new Lookup(Outcome.RESERVED, null, stamp);
    }

    /** Returns that there is no entry, for a reason that needs no more words. */
    public static Lookup without(Outcome outcome) {
        return new Lookup(outcome, null, Envelope.NO_STAMP);
    }

    /** Returns whether the place is reserved for a writer, be there an entry or not. */
    public boolean isReserved() {
        return envelope == null ? outcome == Outcome.RESERVED : envelope.isReserved();
    }

    /** Returns the stamp of whatever has one: an entry, a lease or a reservation. */
    public long mark() {
        return envelope == null ? leaseStamp : envelope.stamp();
    }

    /** Returns whether there is an entry. */
    public boolean isFound() {
        return outcome == Outcome.FOUND;
    }

    /** Returns the stamp of the entry, {@link Envelope#NO_STAMP} if there is none, even if there is a lease. */
    public long stamp() {
        return envelope == null ? Envelope.NO_STAMP : envelope.stamp();
    }
}
