// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** How far a move is. The state of its slots follows from it. */
public enum MovePhase {
    /** Part of a plan: it begins when neither of its partitions has part in another move. Nothing of it is anywhere yet. */
    WAITING,

    /** The target is emptied and the source is made ready. All slots are stable at the source. */
    PREPARING,

    /** Entries are copied. Slots that are committed settle at the target; the others are moving, at the source. */
    MOVING,

    /** All slots are stable at the target. The source is emptied. */
    CLEANING,

    /**
     * The move was given up. All slots are stable at the source. What has arrived at the target is removed. If the target was
     * lost, slots may be committed: these are its own, and lost with it.
     */
    ABORTING
}
