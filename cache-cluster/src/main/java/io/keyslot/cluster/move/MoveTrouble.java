// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

/** Why a step of a move failed, or has an unknown outcome. Not thrown beyond this package. */
final class MoveTrouble extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    public MoveTrouble(Kind kind, String what) {
        super(what);
        this.kind = kind;
    }

    public static MoveTrouble lost(String what) {
        return new MoveTrouble(Kind.LOST, what);
    }

    public enum Kind {
        /** A partition or the catalogue did not answer, or has a new incarnation: restart from the map. */
        LOST,
        /** Another coordinator continues the move. */
        REPLACED,
        /** A permanent obstacle: abort the move. */
        REFUSED,
        /** The coordinator was stopped; another one may continue. */
        STOPPED,
        /** The operator aborted or paused the move, or it is over: read the map. */
        CHANGED
    }

    public String what() {
        return String.valueOf(getMessage());
    }

    public Kind kind() {
        return kind;
    }
}
