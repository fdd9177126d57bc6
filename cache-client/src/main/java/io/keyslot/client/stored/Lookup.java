// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import org.jspecify.annotations.Nullable;

/**
 * The content of a key: an entry exactly if the outcome is {@code FOUND}; the stamp of a lease or reservation, or 0.
 */
public record Lookup(Outcome outcome, @Nullable Envelope envelope, long leaseStamp) {
    private static final Lookup ABSENT = without(Outcome.ABSENT);

    /** Whether there is an entry, and why not. Everything but {@code FOUND} is a miss. */
    public enum Outcome {
        FOUND,
        ABSENT,
        /** There is a lease: a client is determining the value. */
        LEASED,
        /** There is no entry, and the place is reserved for a writer. */
        RESERVED,
        /** The value is known not to exist. */
        NEGATIVE,
        /** Written under another ownership of the slot, or in another incarnation of the partition. */
        OTHER_EPOCH,
        /** The bytes were written for another key. */
        OTHER_KEY,
        /** Written by a newer version of Keyslot; must not be changed. */
        NEWER_FORMAT,
        /** Written with an envelope by a cache of the same name, while this one stores raw values. */
        OTHER_LAYOUT,
        /** Not written by Keyslot. */
        MALFORMED,
        /** Out of date; this process has a pending delete. */
        OUTDATED,
        /** Out of date; its deletion is in progress. */
        BEING_DELETED;

        /** Returns whether there is a stored value that this version, or this incarnation, treats as missing. */
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

    public static Lookup leased(long stamp) {
        return new Lookup(Outcome.LEASED, null, stamp);
    }

    public static Lookup reserved(long stamp) {
        return new Lookup(Outcome.RESERVED, null, stamp);
    }

    public static Lookup without(Outcome outcome) {
        return new Lookup(outcome, null, Envelope.NO_STAMP);
    }

    /** Returns whether the key is reserved for a writer, with or without an entry. */
    public boolean isReserved() {
        return envelope == null ? outcome == Outcome.RESERVED : envelope.isReserved();
    }

    public long mark() {
        return envelope == null ? leaseStamp : envelope.stamp();
    }

    public boolean isFound() {
        return outcome == Outcome.FOUND;
    }

    /** Returns the stamp of the entry, {@link Envelope#NO_STAMP} if there is none, even if there is a lease. */
    public long stamp() {
        return envelope == null ? Envelope.NO_STAMP : envelope.stamp();
    }
}
