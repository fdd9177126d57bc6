// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import org.jspecify.annotations.Nullable;

public sealed interface AcceptorAnswer {
    /** A new incarnation has begun. */
    record Begun(String incarnation) implements AcceptorAnswer {}

    /** The request expected no incarnation, but there is one. */
    record Incarnations(String incarnation) implements AcceptorAnswer {}

    /** The state has changed since it was read. */
    record Changed(String incarnation, Ballot ballot) implements AcceptorAnswer {}

    /** The instance has promised. {@code ballot} is that of its accepted value, {@link Ballot#NONE} if it has none. */
    record Promised(
            String incarnation, Ballot ballot, @Nullable RegisterValue value) implements AcceptorAnswer {}

    record Accepted(String incarnation) implements AcceptorAnswer {}

    /** The instance has promised the same ballot or a higher one. */
    record Behind(Ballot promise) implements AcceptorAnswer {}

    /** The instance has no incarnation: its state is lost, or belongs to another run of the server. */
    record Lost() implements AcceptorAnswer {}

    record OtherGeneration(Generation generation) implements AcceptorAnswer {}

    /** The incarnation has no vote on this value. */
    record NoVote(String incarnation) implements AcceptorAnswer {}

    /**
     * The complete state: {@code generation} is null if there was never an incarnation; {@code incarnation} is empty if
     * there is none, and alive if it belongs to the present run of the server; {@code ballot} is that of the accepted
     * value; {@code copy} is a decided value, which needs no incarnation.
     */
    record Viewed(
            @Nullable Generation generation,
            String incarnation,
            boolean isAlive,
            Ballot promise,
            Ballot ballot,
            @Nullable RegisterValue value,
            @Nullable DecidedValue copy)
            implements AcceptorAnswer {
        /** Returns a mark that changes with the state, for {@link AcceptorRequest.Begin}. */
        public String mark() {
            return incarnation + "/" + ballot.text();
        }

        boolean livesIn(Generation other) {
            return isAlive && other.equals(generation);
        }
    }

    /** The stamp of the copy, and the incarnation; empty if there is none of the present run of the server. */
    record Stamped(@Nullable Stamp copy, String incarnation) implements AcceptorAnswer {}

    /** The instance has this copy or a newer one. */
    record Copied() implements AcceptorAnswer {}

    /** The instance has a copy of another generation with the same number: two operators started at the same time. */
    record Rival(Generation generation) implements AcceptorAnswer {}

    /** The instance did not answer, or the answer was unreadable; the request may have been executed. */
    record Silent(String why) implements AcceptorAnswer {}
}
