// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/** The reason why a command was not executed. */
public enum Refusal {
    /** The partition is not connected, or the connection was lost before the command was sent. */
    UNAVAILABLE(false),
    /** The connection was lost before the command was sent, and the first reconnect is in progress or has succeeded. */
    RECONNECTING(true),
    /** The command was routed by an older slot map than the announced one, and must be routed again. */
    STALE_ROUTE(true),
    /** The slot is in a cutover; in milliseconds it is available here or at another partition. */
    FROZEN(true),
    /** The partition does not own the slot, or does not know; a newer slot map names the owner. */
    MOVED(true),
    /** Too many commands to the partition are in flight. */
    OVERLOADED(false),
    /**
     * The server is temporarily unable to serve (LOADING, BUSY, TRYAGAIN, MASTERDOWN, NOAUTH), or the stored value is
     * outdated and is being deleted.
     */
    NOT_NOW(true),
    /** The server does not accept this write: OOM, READONLY, MISCONF, NOREPLICAS. */
    NOT_WRITABLE(false),
    INTERRUPTED(false),
    /**
     * The server refuses the command until its setup changes: NOPERM, an unknown command, WRONGTYPE. The partition is
     * not missing.
     */
    FORBIDDEN(false);

    private final boolean worthAnotherAttempt;

    Refusal(boolean worthAnotherAttempt) {
        this.worthAnotherAttempt = worthAnotherAttempt;
    }

    /** Returns whether a running server refused the command. */
    public boolean isByServer() {
        return this == FROZEN || this == MOVED || this == NOT_NOW || this == NOT_WRITABLE || this == FORBIDDEN;
    }

    /** Returns whether a running server refused a write, so that the old value is still stored. */
    public boolean isOfWrites() {
        return this == NOT_WRITABLE || this == FORBIDDEN;
    }

    /** Returns whether the command must be routed again by a newer slot map. */
    public boolean isOfRoute() {
        return this == STALE_ROUTE || this == MOVED;
    }

    /** Returns whether the command's slot is moving; retrying helps within milliseconds. */
    public boolean isOfMove() {
        return this == FROZEN || this == MOVED;
    }

    /** Returns whether the same command may succeed a moment later. */
    public boolean isWorthAnotherAttempt() {
        return worthAnotherAttempt;
    }
}
