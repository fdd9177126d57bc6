// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

/** The exit codes of all commands. */
final class ExitCode {
    public static final int OK = 0;
    public static final int FAILED = 1;

    /** A comparison found differences. */
    public static final int DIFFERENT = 3;

    /** The input is for another version of the map; nothing was changed. */
    public static final int OTHER_VERSION = 4;

    /** The current state does not allow the command; nothing was changed. */
    public static final int REFUSED = 5;

    /** A signal ended the process, or another operator aborted or took over its work. */
    public static final int ENDED = 6;

    /** A usage error, {@code EX_USAGE} of sysexits. */
    public static final int USAGE = 64;

    private ExitCode() {}
}
