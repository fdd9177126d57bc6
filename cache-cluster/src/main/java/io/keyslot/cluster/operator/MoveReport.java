// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.Move;
import io.keyslot.cluster.move.MoveNote;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a move is, as its coordinator has written down, which may be another process.
 *
 * @param id which move
 * @param move as the map has it, null if it is over
 * @param note what its coordinator has written down last; null if that cannot be read, or there is nothing
 * @param age how long ago it did
 * @param trouble why it cannot be read, empty if it can
 * @param state who carries it out, which follows from the other moves of its plan as well
 */
public record MoveReport(
        String id, @Nullable Move move, @Nullable MoveNote note, Duration age, String trouble, State state) {
    /** A coordinator writes down how far it is once a second. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    /** Who carries a move out. */
    public enum State {
        /** A process carries it out, and has said so within the last seconds. */
        PLAYED,
        /** It has its turn later: a process carries out another move of its plan. */
        WAITS,
        /** No process carries it out, nor any other move of its plan. */
        IDLE,
        /** Its target, or that of another move of its plan, does not answer. */
        UNKNOWN,
        /** The map has it no more. */
        OVER
    }

    /** Returns whether a process carries it out. */
    public boolean isPlayed() {
        return state == State.PLAYED;
    }

    /** Returns the name of its plan, or its own if it is no move of a plan. */
    public String plan() {
        return MoveOrders.planOf(id);
    }

    MoveReport in(State changed) {
        return new MoveReport(id, move, note, age, trouble, changed);
    }
}
