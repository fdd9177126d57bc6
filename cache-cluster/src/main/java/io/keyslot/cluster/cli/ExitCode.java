// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

/** The exit codes of all commands. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;

    /** Two things that were compared differ. */
    static final int DIFFERENT = 3;

    /** It is for another version of the map, and nothing was changed. */
    static final int OTHER_VERSION = 4;

    /** It was refused because of what is there, and nothing was changed. */
    static final int REFUSED = 5;

    /** The command was written wrongly: {@code EX_USAGE} of sysexits. */
    static final int USAGE = 64;

    private ExitCode() {}
}
