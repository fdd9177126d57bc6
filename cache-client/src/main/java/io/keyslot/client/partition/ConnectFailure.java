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
        /** Who answered does not accept us, and will not: somebody must change a setting. */
        REJECTED
    }

    private final Kind kind;
    private final String reason;

    /** Creates a failure of nobody's address. */
    public ConnectFailure(Kind kind, String reason, @Nullable Throwable cause) {
        this(kind, reason, reason, cause);
    }

    private ConnectFailure(Kind kind, String message, String reason, @Nullable Throwable cause) {
        // Where it was made says nothing: on a thread that does I/O. The cause knows more.
        super(message, cause, true, false);
        this.kind = kind;
        this.reason = reason;
    }

    /** Creates the failure of a connection to an address. */
    public static ConnectFailure at(String address, Kind kind, String reason, @Nullable Throwable cause) {
        return new ConnectFailure(kind, address + ": " + reason, reason, cause);
    }

    public Kind kind() {
        return kind;
    }

    /** Returns why, without the address: for those who have named it already. */
    public String reason() {
        return reason;
    }
}
