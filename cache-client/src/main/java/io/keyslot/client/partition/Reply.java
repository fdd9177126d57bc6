// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;
import org.jspecify.annotations.Nullable;

/**
 * What is known after a command was handed to a partition: done, not done, or not known.
 *
 * @param <R> what was answered
 */
public sealed interface Reply<R> {
    /** It was executed. */
    record Done<R>(R value) implements Reply<R> {}

    /**
     * It was not executed, and will not be.
     *
     * @param refusal why, and whether another attempt may help
     * @param detail for messages; without keys, values and credentials
     * @param mapVersion the version of the slot map by which it is to be routed, or a newer one; 0 if that is not said
     */
    record Refused<R>(Refusal refusal, String detail, long mapVersion) implements Reply<R> {
        /** Creates a refusal for another reason than an outdated slot map. */
        public Refused(Refusal refusal, String detail) {
            this(refusal, detail, 0);
        }

        /** Returns the same refusal of a command with another answer. */
        public <S> Refused<S> as() {
            return new Refused<>(refusal, detail, mapVersion);
        }
    }

    /**
     * It was sent, and the answer was lost: it may or may not have been executed. If it was not, it never will be, once
     * the connection it was sent on was replaced.
     *
     * @param detail for messages; without keys, values and credentials
     */
    record Unknown<R>(String detail, @Nullable Throwable cause) implements Reply<R> {
        /** Returns the same about a command with another answer. */
        public <S> Unknown<S> as() {
            return new Unknown<>(detail, cause);
        }
    }

    static <R> Reply<R> done(R value) {
        return new Done<>(value);
    }

    /** Returns what is known of one of many keys: of one that is out of date, that it was not asked for. */
    static Reply<Lookup> ofOne(Lookup lookup) {
        return switch (lookup.outcome()) {
            case OUTDATED -> refused(Refusal.UNAVAILABLE, "what is stored is out of date, and its deletion is owed");
            case BEING_DELETED ->
                refused(Refusal.NOT_NOW, "what is stored is out of date, and its deletion is under way");
            default -> done(lookup);
        };
    }

    static <R> Reply<R> refused(Refusal refusal, String detail) {
        return new Refused<>(refusal, detail);
    }

    static <R> Reply<R> unknown(String detail, @Nullable Throwable cause) {
        return new Unknown<>(detail, cause);
    }
}
