// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.Move;
import io.keyslot.cluster.move.MoveNote;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a move as its coordinator, which may be another process, has stored it. The move is null if it is
 * over; the note is null if there is none, or it cannot be read for the reason in {@code trouble}.
 */
public record MoveReport(
        String id, @Nullable Move move, @Nullable MoveNote note, Duration age, String trouble, State state) {
    /** A coordinator stores a note once a second. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    public enum State {
        /** A process carries it out, and has stored a note within the last seconds. */
        PLAYED,
        /** A process carries out another move of its plan. */
        WAITS,
        /** No process carries it out, nor any other move of its plan. */
        IDLE,
        /** Its target, or that of another move of its plan, does not answer. */
        UNKNOWN,
        /** It is not in the map any more. */
        OVER
    }

    public boolean isPlayed() {
        return state == State.PLAYED;
    }

    public String plan() {
        return MoveOrders.planOf(id);
    }

    MoveReport in(State changed) {
        return new MoveReport(id, move, note, age, trouble, changed);
    }
}
