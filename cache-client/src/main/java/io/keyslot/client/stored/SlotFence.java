// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * What a partition knows about a slot that is on its way to another one.
 *
 * @param state what it does with commands about the slot that are fenced
 * @param move the name of the move; without spaces
 * @param ownership the number of the ownership that the state is about: one more for each owner of the slot
 * @param mapVersion of {@link State#MOVED}: the first map by which another partition owns the slot; else 0
 */
public record SlotFence(State state, String move, long ownership, long mapVersion) {
    /** What is done. A fenced command about a slot without a fence is refused, and so is one about several slots of which one is. */
    public enum State {
        /** At the one that gives: reads and writes, and the keys of writes are noted. */
        MOVING('M'),
        /** At the one that gives: reads. */
        FROZEN('F'),
        /** At the one that gives: nothing, in the moment in which another one becomes the owner. What was noted is kept. */
        CLOSED('C'),
        /** At the one that gave: nothing. */
        MOVED('X'),
        /** At the one that gets: nothing. */
        IMPORTING('I'),
        /** At the one that got: reads and writes. */
        OWNED('O');

        private final char letter;

        State(char letter) {
            this.letter = letter;
        }

        /** Returns the letter by which it is stored. */
        public char letter() {
            return letter;
        }

        /** Returns the state with this letter. */
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
