// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import org.jspecify.annotations.Nullable;

/** A failure to connect. The message has the address and the reason, without credentials. */
public final class ConnectFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public enum Kind {
        /** The server did not answer or is not ready; a later attempt may succeed. */
        UNREACHABLE,
        /** The server knows a newer slot map, and accepts this client once it has that map. */
        OUTDATED,
        /** The server rejects this client until a setting is changed. */
        REJECTED
    }

    /** The most characters of a reason, which may quote what anybody has stored at the server. */
    private static final int LONGEST_REASON = 1_000;

    private final Kind kind;
    private final String reason;
    private final long mapVersion;

    public ConnectFailure(Kind kind, String reason, @Nullable Throwable cause) {
        this(kind, reason, reason, cause, 0);
    }

    private ConnectFailure(Kind kind, String message, String reason, @Nullable Throwable cause, long mapVersion) {
        // No stack trace: it would only show an I/O thread. The cause has more.
        super(printable(message), cause, true, false);
        this.kind = kind;
        this.reason = printable(reason);
        this.mapVersion = mapVersion;
    }

    private static String printable(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "..." : line;
    }

    public static ConnectFailure at(String address, Kind kind, String reason, @Nullable Throwable cause) {
        return new ConnectFailure(kind, address + ": " + reason, reason, cause, 0);
    }

    public static ConnectFailure outdated(String address, String reason, long mapVersion) {
        return new ConnectFailure(Kind.OUTDATED, address + ": " + reason, reason, null, mapVersion);
    }

    /** Returns the same failure for a process that cannot get the newer slot map. */
    public ConnectFailure rejected() {
        return new ConnectFailure(Kind.REJECTED, String.valueOf(getMessage()), reason, getCause(), mapVersion);
    }

    /** Returns the version of the slot map that the server knows; 0 if that was not the reason. */
    public long mapVersion() {
        return mapVersion;
    }

    public Kind kind() {
        return kind;
    }

    public String reason() {
        return reason;
    }
}
