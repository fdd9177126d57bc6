// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;

/**
 * What an instance is asked. Each may arrive late, repeatedly or never, and does no harm then; {@link AcceptorState} says what
 * each does.
 */
public sealed interface AcceptorRequest {
    /**
     * Begins a new life, without a vote, if the instance is as it was seen.
     *
     * @param nonce which nobody else gives; the life is made of it and of the time of the instance, so that a repetition
     *     makes another one
     * @param expected {@link #LOST} if it must have no life, or else what {@link AcceptorAnswer.Viewed#mark} said
     */
    record Begin(RegisterGeneration generation, String nonce, String expected) implements AcceptorRequest {
        /** The instance must have no life: no memory, or that of another reign. */
        public static final String LOST = "lost";
    }

    /** Promises to accept nothing under a lower ballot; answers what it has accepted last. */
    record Prepare(RegisterGeneration generation, Ballot ballot) implements AcceptorRequest {}

    /**
     * Accepts a value, unless a higher ballot was promised.
     *
     * @param voter the life in which the instance decides on this value, empty for none
     * @param previous the life in which it decided on the one before, empty for none
     */
    record Accept(RegisterGeneration generation, Ballot ballot, RegisterValue value, String voter, String previous)
            implements AcceptorRequest {
        /** Returns what an instance is asked to accept. */
        static Accept at(PartitionId instance, RegisterGeneration generation, Ballot ballot, RegisterValue value) {
            return new Accept(
                    generation,
                    ballot,
                    value,
                    value.voters().incarnationAt(instance).orElse(""),
                    value.previous().incarnationAt(instance).orElse(""));
        }
    }

    /** Answers all there is, and changes nothing. */
    record Read() implements AcceptorRequest {}

    /** Answers which copy there is, and in which life, and changes nothing: few bytes, however large the text is. */
    record Peek() implements AcceptorRequest {}

    /** Answers which copy there is, and nothing else: a hint at as little cost as can be. Changes nothing. */
    record Glance() implements AcceptorRequest {}

    /** Keeps a decided value, unless it has one that is as new. */
    record Copy(DecidedValue decided) implements AcceptorRequest {}
}
