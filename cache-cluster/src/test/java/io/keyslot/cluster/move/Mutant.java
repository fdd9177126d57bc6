// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

/** A guard that is taken away; a simulation has to find that something is lost. */
enum Mutant {
    NONE,
    /** Nobody waits for those who do not know of the move. */
    NO_BARRIER,
    /** Writes go on while the last keys are copied. */
    NO_FREEZE,
    /** The target answers before nobody reads at the source any more. */
    OWNED_BEFORE_CLOSED,
    /** The source is open for reads again, because the map did not answer, and is told after the target. */
    OWNED_BEFORE_MOVED,
    /** The target answers before the map says that it is the owner. */
    ACTIVE_BEFORE_COMMIT,
    /** All coordinators have the same number. */
    NO_NUMBER,
    /** A source that does not know what was written is believed to know that nothing was. */
    NO_SENTINEL,
    /** What a target has of a slot is still there when it comes. */
    TARGET_NOT_EMPTIED,
    /** Clients use plain commands at the target before it is said that the slots are stable. */
    PLAIN_AT_SETTLE,
    /** What was written is forgotten when it has been copied, and not before. */
    FORGOTTEN_AFTERWARDS,
    /** What is on its way to the target is believed to be there. */
    IMPORTS_NOT_AWAITED,
    /** A client lets writes go on in frozen slots, and does not take the move away from its coordinator before. */
    RECOVERED_ALONE
}
