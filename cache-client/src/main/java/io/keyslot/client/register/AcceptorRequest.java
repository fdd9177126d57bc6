// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;

/**
 * A request to an instance. It may arrive late, repeatedly or never without harm; {@link AcceptorState} defines its
 * effect.
 */
public sealed interface AcceptorRequest {
    /**
     * Starts an incarnation without a vote if the instance is in the expected state: {@link #LOST}, or the
     * {@link AcceptorAnswer.Viewed#mark} that it showed. The incarnation consists of the unique nonce and the server's
     * time, so a repetition makes another one.
     */
    record Begin(Generation generation, String nonce, String expected) implements AcceptorRequest {
        /** Expects no incarnation: no state, or one of another run of the server. */
        public static final String LOST = "lost";
    }

    /** Promises to accept nothing under a lower ballot; answers the last accepted value. */
    record Prepare(Generation generation, Ballot ballot) implements AcceptorRequest {}

    /**
     * Accepts a value unless a higher ballot was promised. {@code voter} is the incarnation in which the instance votes
     * on this value, {@code previous} the one for the value before; empty for none.
     */
    record Accept(Generation generation, Ballot ballot, RegisterValue value, String voter, String previous)
            implements AcceptorRequest {
        static Accept at(PartitionId instance, Generation generation, Ballot ballot, RegisterValue value) {
            return new Accept(
                    generation,
                    ballot,
                    value,
                    value.voters().incarnationAt(instance).orElse(""),
                    value.previous().incarnationAt(instance).orElse(""));
        }
    }

    /** Reads the complete state. */
    record Read() implements AcceptorRequest {}

    /**
     * Reads the stamp of the copy, and the incarnation, with a single cheap command. Of a server that was promoted
     * without a new connection, the incarnation may be outdated; any other request notices that.
     */
    record ReadStamp() implements AcceptorRequest {}

    /** Stores a decided value unless the copy is as new. */
    record Copy(DecidedValue decided) implements AcceptorRequest {}
}
