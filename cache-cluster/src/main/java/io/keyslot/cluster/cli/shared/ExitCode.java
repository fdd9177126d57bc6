// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

/** The exit codes of all commands. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILED = 1;

    /** Two things that were compared differ. */
    public static final int DIFFERENT = 3;

    /** It is for another version of the map, and nothing was changed. */
    public static final int OTHER_VERSION = 4;

    /** It was refused because of what is there, and nothing was changed. */
    public static final int REFUSED = 5;

    /** It was ended from outside: the process was told to end, or another operator has given up or taken over what it did. */
    public static final int ENDED = 6;

    /** The command was written wrongly: {@code EX_USAGE} of sysexits. */
    public static final int USAGE = 64;

    private ExitCode() {}
}
