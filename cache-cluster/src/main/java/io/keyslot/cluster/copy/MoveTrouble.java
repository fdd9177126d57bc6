// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.copy;

/** Why a step of a move was not done, or is not known to be. It never leaves the package. */
public final class MoveTrouble extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String what;
    private final Kind kind;

    public MoveTrouble(Kind kind, String what) {
        super(what);
        this.what = what;
        this.kind = kind;
    }

    /** What is to be done about it. */
    public enum Kind {
        /** A partition or the catalogue did not answer, or has begun another life: begin again with what the map says. */
        LOST,
        /** Another coordinator goes on with the move. */
        REPLACED,
        /** Something does not allow it, and will not: the move is to be given up. */
        REFUSED,
        /** The coordinator was told to stop; another one may go on. */
        STOPPED,
        /** The operator has given the move up, or paused it, or it is over: look at the map. */
        CHANGED
    }

    public String what() {
        return what;
    }

    public Kind kind() {
        return kind;
    }
}
