// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import org.jspecify.annotations.Nullable;

/** What an instance answers, or that it does not. */
public sealed interface AcceptorAnswer {
    /** A new life has begun. */
    record Begun(String incarnation) implements AcceptorAnswer {}

    /** It lives, and was to have no life. */
    record Incarnations(String incarnation) implements AcceptorAnswer {}

    /** It is not as it was seen. */
    record Changed(String incarnation, Ballot ballot) implements AcceptorAnswer {}

    /**
     * It has promised.
     *
     * @param ballot under which it has accepted the value, {@link Ballot#NONE} if it has none
     */
    record Promised(
            String incarnation, Ballot ballot, @Nullable RegisterValue value) implements AcceptorAnswer {}

    /** It has accepted. */
    record Accepted(String incarnation) implements AcceptorAnswer {}

    /** It has promised a higher ballot, or the same. */
    record Behind(Ballot promise) implements AcceptorAnswer {}

    /** It has no life: its memory is gone, or is that of another reign. */
    record Lost() implements AcceptorAnswer {}

    /** It has a life of another generation. */
    record OtherGeneration(RegisterGeneration generation) implements AcceptorAnswer {}

    /** Its life has no vote on this value. */
    record NoVote(String incarnation) implements AcceptorAnswer {}

    /**
     * All there is.
     *
     * @param generation null if it never had a life
     * @param incarnation empty if it has none
     * @param isAlive whether the life is that of its present reign
     * @param copy a value that was decided, which nobody needs a life to keep
     */
    record Viewed(
            @Nullable RegisterGeneration generation,
            String incarnation,
            boolean isAlive,
            Ballot promise,
            Ballot ballot,
            @Nullable RegisterValue value,
            @Nullable DecidedValue copy)
            implements AcceptorAnswer {
        /** Returns what tells whether it has changed since, for {@link AcceptorRequest.Begin}. */
        public String mark() {
            return incarnation + "/" + ballot.text();
        }

        boolean livesIn(RegisterGeneration other) {
            return isAlive && other.equals(generation);
        }
    }

    /**
     * Which copy there is, and who it is.
     *
     * @param incarnation empty if it has none that is of its present reign
     */
    record Peeked(@Nullable Stamp copy, String incarnation) implements AcceptorAnswer {}

    /** Which copy there is. */
    record Glanced(@Nullable Stamp copy) implements AcceptorAnswer {}

    /** The copy is there, or one that is newer. */
    record Copied() implements AcceptorAnswer {}

    /** There is a copy of another generation with the same number: two operators have begun at the same time. */
    record Rival(RegisterGeneration generation) implements AcceptorAnswer {}

    /** It did not answer, or not with what can be read; whether it has done what it was asked is not known. */
    record Silent(String why) implements AcceptorAnswer {}
}
