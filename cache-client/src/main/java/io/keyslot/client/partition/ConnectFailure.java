// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import org.jspecify.annotations.Nullable;

/** A connection could not be made. The message says where and why, without credentials. */
public final class ConnectFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** Who must act. */
    public enum Kind {
        /** Nobody answered, or the server is not ready: time may heal it. */
        UNREACHABLE,
        /** Who answered knows a newer slot map, and accepts us as soon as we do. */
        OUTDATED,
        /** Who answered does not accept us, and will not: somebody must change a setting. */
        REJECTED
    }

    private final Kind kind;
    private final String reason;
    private final long mapVersion;

    /** Creates a failure of nobody's address. */
    public ConnectFailure(Kind kind, String reason, @Nullable Throwable cause) {
        this(kind, reason, reason, cause, 0);
    }

    private ConnectFailure(Kind kind, String message, String reason, @Nullable Throwable cause, long mapVersion) {
        // Where it was made says nothing: on a thread that does I/O. The cause knows more.
        super(message, cause, true, false);
        this.kind = kind;
        this.reason = reason;
        this.mapVersion = mapVersion;
    }

    /** Creates the failure of a connection to an address. */
    public static ConnectFailure at(String address, Kind kind, String reason, @Nullable Throwable cause) {
        return new ConnectFailure(kind, address + ": " + reason, reason, cause, 0);
    }

    /** Creates the failure of a connection to an address where a newer slot map is known, of this version or a later one. */
    public static ConnectFailure outdated(String address, String reason, long mapVersion) {
        return new ConnectFailure(Kind.OUTDATED, address + ": " + reason, reason, null, mapVersion);
    }

    /** Returns the same failure, of a process that will never know the newer slot map. */
    public ConnectFailure rejected() {
        return new ConnectFailure(Kind.REJECTED, String.valueOf(getMessage()), reason, getCause(), mapVersion);
    }

    /** Returns the version of the slot map that is known there, 0 if that is not the reason. */
    public long mapVersion() {
        return mapVersion;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns why, without the address: for those who have named it already. */
    public String reason() {
        return reason;
    }
}
