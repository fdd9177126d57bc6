// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a process has to do about the life that it finds recorded at a server. Pure.
 *
 * <p>The rule: a life is used only if the server says that it is open, if it was begun in the server's present reign, and
 * if it is the one that this process remembers or follows it, unless that one was outvoted ({@link Remembered#beforeAVote}).
 * Otherwise the next one is begun, after both.
 *
 * @param life the life that the step is about
 */
record Succession(Step step, Life life) {
    /** One step on the way to an open life. */
    enum Step {
        /** Use the life. */
        USE,
        /** Somebody has begun it: drop the connections of the life before, then open it. */
        COMPLETE,
        /** Record it in place of what is recorded. */
        BEGIN
    }

    /**
     * Returns the next step.
     *
     * @param reign the server's present one
     * @param remembered the newest life in which this process has used the partition
     * @param ids draws ids at random
     */
    static Succession of(Optional<Life> recorded, String reign, Optional<Life> remembered, Supplier<String> ids) {
        return recorded.filter(life -> isValid(life, reign, remembered))
                .map(life -> new Succession(life.state() == Life.State.OPEN ? Step.USE : Step.COMPLETE, life))
                .orElseGet(() -> new Succession(Step.BEGIN, Life.after(recorded, remembered, reign, ids)));
    }

    private static boolean isValid(Life life, String reign, Optional<Life> remembered) {
        return life.state() != Life.State.ENDED
                && life.reign().equals(reign)
                && remembered.map(life::isOrFollows).orElse(true);
    }

    /** Returns whether a connection that was opened in this life may go on, by what the server says now. */
    static boolean goesOn(Life life, Optional<Life> recorded, ServerInfo server) {
        return !server.isReplica()
                && server.reign().equals(life.reign())
                && recorded.filter(present -> present.equals(life)).isPresent();
    }
}
