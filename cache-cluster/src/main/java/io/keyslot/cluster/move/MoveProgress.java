// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * The progress of a move. Immutable.
 *
 * <p>{@code copied} counts rewritten keys each time; {@code dirtyKeys} is the known number of keys to copy again;
 * {@code clientsBehind} counts connections that do not know the map yet; {@code pauses} are waits of calls for a slot;
 * {@code lastTrouble} is empty if there was none.
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
    public enum Step {
        PREPARING,
        WAITING_FOR_CLIENTS,
        EMPTYING_TARGET,
        COPYING,
        PAUSED,
        HANDING_OVER,
        DRAINING,
        EMPTYING_SOURCE,
        GIVING_UP,
        OVER
    }

    public record Amount(long keys, long bytes) {
        public static final Amount NONE = new Amount(0, 0);

        public Amount plus(Amount other) {
            return plus(other.keys, other.bytes);
        }

        Amount plus(long moreKeys, long moreBytes) {
            return new Amount(keys + moreKeys, bytes + moreBytes);
        }
    }

    public record Slots(int committed, int all) {}

    /** The last and the longest pauses of writes and of reads. */
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
