// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * The state of a slot during its move {@code move}, as a partition stores it. The number {@code ownership} increases
 * with each owner of the slot; {@code mapVersion} is the first map with another owner if the state is
 * {@link State#MOVED}, else 0.
 */
public record SlotFence(State state, String move, long ownership, long mapVersion) {
    /**
     * The handling of fenced commands. A command for a slot without a fence is refused, as is one for several slots if
     * it is refused for one of them.
     */
    public enum State {
        /** At the source: reads and writes; the keys of writes are recorded. */
        MOVING('M'),
        /** At the source: reads only. */
        FROZEN('F'),
        /** At the source: no commands during the cutover. The recorded keys are kept. */
        CLOSED('C'),
        /** At the former owner: no commands. */
        MOVED('X'),
        /** At the target: no commands yet. */
        IMPORTING('I'),
        /** At the new owner: reads and writes. */
        OWNED('O');

        private final char letter;

        State(char letter) {
            this.letter = letter;
        }

        public char letter() {
            return letter;
        }

        public static State of(char letter) {
            for (State state : values()) {
                if (state.letter == letter) {
                    return state;
                }
            }
            throw new IllegalArgumentException("no state of a fence has the letter '" + letter + "'");
        }
    }

    public SlotFence {
        if (move.isEmpty() || move.length() > 64 || move.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "The name of a move must have 1 to 64 printable ASCII characters without spaces");
        }
    }
}
