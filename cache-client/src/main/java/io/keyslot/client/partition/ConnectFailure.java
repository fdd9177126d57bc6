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
        /** The server answered and does not accept us: somebody must change a setting. */
        REJECTED
    }

    private final Kind kind;

    public ConnectFailure(Kind kind, String message, @Nullable Throwable cause) {
        // Where it was made says nothing: on a thread that does I/O. The cause knows more.
        super(message, cause, true, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
