// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/** Why a command was not executed. */
public enum Refusal {
    /** The partition cannot be asked: not connected, or the connection was lost before the command was sent. */
    UNAVAILABLE(false),
    /**
     * The connection was lost, the command was not sent on it, and the first attempt to make another is under way or has been
     * successful.
     */
    RECONNECTING(true),
    /** The command was routed by a slot map older than the one announced; it is to be routed again. */
    STALE_ROUTE(true),
    /** The slot is being handed over to another partition: in milliseconds it is there, or here again. */
    FROZEN(true),
    /** The partition does not own the slot, or does not know: a newer slot map says who does. */
    MOVED(true),
    /** Too many commands are in flight to the partition. */
    OVERLOADED(false),
    /**
     * The server cannot serve now but may soon: LOADING, BUSY, TRYAGAIN, MASTERDOWN, NOAUTH; or what is stored is out of date, and is
     * being deleted.
     */
    NOT_NOW(true),
    /** The server does not accept this write: OOM, READONLY, MISCONF, NOREPLICAS. */
    NOT_WRITABLE(false),
    /** The group is larger than it may be. */
    TOO_LARGE(false),
    /** The calling thread was interrupted before anything was sent. */
    INTERRUPTED(false),
    /**
     * The server refuses it until somebody changes something: NOPERM, a command that it does not know, WRONGTYPE. The partition is
     * there, and not missing.
     */
    FORBIDDEN(false);

    private final boolean worthAnotherAttempt;

    Refusal(boolean worthAnotherAttempt) {
        this.worthAnotherAttempt = worthAnotherAttempt;
    }

    /** Returns whether a server that answers has not done a write: what was to be changed is still there. */
    public boolean isOfWrites() {
        return this == NOT_WRITABLE || this == FORBIDDEN;
    }

    /** Returns whether the command is to be routed again, by a newer slot map. */
    public boolean isOfRoute() {
        return this == STALE_ROUTE || this == MOVED;
    }

    /** Returns whether the slot of the command is on its way, which is over in milliseconds. */
    public boolean isOfMove() {
        return this == FROZEN || this == MOVED;
    }

    /** Returns whether the same command may succeed a moment later. */
    public boolean isWorthAnotherAttempt() {
        return worthAnotherAttempt;
    }
}
