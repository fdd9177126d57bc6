// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import org.jspecify.annotations.Nullable;

/**
 * What a partition holds under a key.
 *
 * @param outcome whether there is an entry, and why not
 * @param envelope the entry, not null if and only if the outcome is {@code FOUND}
 */
public record Lookup(Outcome outcome, @Nullable Envelope envelope) {
    private static final Lookup ABSENT = without(Outcome.ABSENT);

    /** Whether there is an entry, and why not. Everything but {@code FOUND} is a miss. */
    public enum Outcome {
        FOUND,
        /** There is nothing, or it has expired. */
        ABSENT,
        /** Written under another ownership of the slot, or before the partition was restarted. */
        OTHER_EPOCH,
        /** The bytes were written for another key. */
        OTHER_KEY,
        /** Written by a newer version of this software; to be left alone. */
        NEWER_FORMAT,
        /** Not written by this software. */
        MALFORMED
    }

    public static Lookup of(Envelope envelope) {
        return new Lookup(Outcome.FOUND, envelope);
    }

    public static Lookup absent() {
        return ABSENT;
    }

    static Lookup without(Outcome outcome) {
        return new Lookup(outcome, null);
    }

    /** Returns whether there is an entry. */
    public boolean isFound() {
        return outcome == Outcome.FOUND;
    }

    /** Returns the stamp of the entry, {@link Command#ABSENT} if there is none. */
    public long stamp() {
        return envelope == null ? Command.ABSENT : envelope.stamp();
    }
}
