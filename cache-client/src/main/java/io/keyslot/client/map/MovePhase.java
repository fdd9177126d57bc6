// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** The phase of a move, which determines the state of its slots. */
public enum MovePhase {
    /** Planned: it starts when both partitions take part in few enough other moves ({@link MapRules}). It has no effect yet. */
    WAITING,

    /** The target is emptied and the source is prepared. All slots are stable at the source. */
    PREPARING,

    /** Entries are copied. Committed slots settle at the target; the others are moving, at the source. */
    MOVING,

    /** All slots are stable at the target. The source is emptied. */
    CLEANING,

    /**
     * The move was aborted. All slots are stable at the source; copied entries are removed from the target. If the
     * target was lost, it keeps committed slots, which are lost with it.
     */
    ABORTING
}
