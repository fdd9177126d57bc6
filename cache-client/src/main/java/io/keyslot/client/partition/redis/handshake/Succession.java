// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The step that a process takes for the incarnation recorded at a server. Free of I/O.
 *
 * <p>An incarnation is used only if it is recorded as open, was begun in the server's present run, and is the one that
 * this process remembers or follows it, unless the remembered one was outvoted ({@link Remembered#beforeAVote}).
 * Otherwise the next one begins, as a successor of both.
 */
record Succession(Step step, Incarnation incarnation) {
    enum Step {
        USE,
        /** The incarnation was begun: drop the connections of the previous one, then open it. */
        COMPLETE,
        BEGIN
    }

    /** Returns the step for the recorded incarnation, the server's run, and the newest incarnation in use here. */
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

    /** Returns whether a connection of this incarnation may continue, by the present state of the server. */
    static boolean goesOn(Incarnation incarnation, Optional<Incarnation> recorded, ServerInfo server) {
        return !server.isReplica()
                && server.serverRun().equals(incarnation.serverRun())
                && recorded.filter(present -> present.equals(incarnation)).isPresent();
    }
}
