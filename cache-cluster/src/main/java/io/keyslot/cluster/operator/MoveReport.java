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
 */
public record MoveReport(
        String id, @Nullable Move move, @Nullable MoveNote note, Duration age, String trouble) {
    /** A coordinator writes down how far it is once a second. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    /** Returns whether somebody seems to play it. */
    public boolean isPlayed() {
        return note != null && note.outcome() == null && age.compareTo(SILENCE) < 0;
    }
}
