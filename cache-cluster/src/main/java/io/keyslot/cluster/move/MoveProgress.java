// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * How far a move is. Immutable.
 *
 * @param move its name
 * @param step what is done at present
 * @param copied what the target has got, written keys once more for each time
 * @param estimated what there was to be copied when it began; none before it was looked at
 * @param bytesPerSecond of the pass over the source, so far
 * @param dirtyKeys that were written meanwhile and are to be copied again, as far as is known
 * @param clientsBehind how many connections have not said that they know
 * @param slots how many are the target's, of how many
 * @param pauses for how long calls about a slot had to wait
 * @param lastTrouble what went wrong last, empty if nothing did
 */
public record MoveProgress(
        String move,
        Step step,
        Amount copied,
        Amount estimated,
        long bytesPerSecond,
        long dirtyKeys,
        int clientsBehind,
        Slots slots,
        Pauses pauses,
        String lastTrouble) {
    /** What a coordinator does. */
    public enum Step {
        PREPARING,
        WAITING_FOR_CLIENTS,
        EMPTYING_TARGET,
        COPYING,
        PAUSED,
        HANDING_OVER,
        EMPTYING_SOURCE,
        GIVING_UP,
        OVER
    }

    /** So many keys and bytes. */
    public record Amount(long keys, long bytes) {
        public static final Amount NONE = new Amount(0, 0);

        /** Returns both together. */
        public Amount plus(Amount other) {
            return plus(other.keys, other.bytes);
        }

        Amount plus(long moreKeys, long moreBytes) {
            return new Amount(keys + moreKeys, bytes + moreBytes);
        }
    }

    /** So many of all. */
    public record Slots(int committed, int all) {}

    /**
     * The last one and the longest one.
     *
     * @param last in which nothing was written
     * @param lastOfReads for how long nothing was read in the last one
     */
    public record Pauses(Duration last, Duration longest, Duration lastOfReads, Duration longestOfReads) {
        public static final Pauses NONE = new Pauses(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

        Pauses and(Duration writes, Duration reads) {
            return new Pauses(writes, longer(writes, longest), reads, longer(reads, longestOfReads));
        }

        private static Duration longer(Duration one, Duration other) {
            return one.compareTo(other) > 0 ? one : other;
        }
    }
}
