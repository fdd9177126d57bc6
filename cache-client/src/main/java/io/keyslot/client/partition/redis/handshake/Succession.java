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
 * @param incarnation the life that the step is about
 */
record Succession(Step step, Incarnation incarnation) {
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
     * @param serverRun the server's present one
     * @param remembered the newest life in which this process has used the partition
     * @param ids draws ids at random
     */
    static Succession of(
            Optional<Incarnation> recorded, String serverRun, Optional<Incarnation> remembered, Supplier<String> ids) {
        return recorded.filter(incarnation -> isValid(incarnation, serverRun, remembered))
                .map(incarnation -> new Succession(
                        incarnation.state() == Incarnation.State.OPEN ? Step.USE : Step.COMPLETE, incarnation))
                .orElseGet(() -> new Succession(Step.BEGIN, Incarnation.after(recorded, remembered, serverRun, ids)));
    }

    private static boolean isValid(Incarnation incarnation, String serverRun, Optional<Incarnation> remembered) {
        return incarnation.state() != Incarnation.State.ENDED
                && incarnation.serverRun().equals(serverRun)
                && remembered.map(incarnation::isOrFollows).orElse(true);
    }

    /** Returns whether a connection that was opened in this life may go on, by what the server says now. */
    static boolean goesOn(Incarnation incarnation, Optional<Incarnation> recorded, ServerInfo server) {
        return !server.isReplica()
                && server.serverRun().equals(incarnation.serverRun())
                && recorded.filter(present -> present.equals(incarnation)).isPresent();
    }
}
