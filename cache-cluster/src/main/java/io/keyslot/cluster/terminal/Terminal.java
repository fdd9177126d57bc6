// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.function.IntConsumer;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err progress and errors
 * @param interactive whether a person watches {@code err}, so that a line may be drawn over
 * @param colored whether colors may be used
 * @param screen whether a person looks at {@code out}, so that it may be cleared
 * @param end ends the process with an exit code, when it was told to end by somebody else: it has another one otherwise
 */
public record Terminal(
        PrintWriter out, PrintWriter err, boolean interactive, boolean colored, boolean screen, IntConsumer end) {
    /** Set to {@code true} by the launcher if standard error is a terminal; the JVM cannot tell it of one stream. */
    private static final String INTERACTIVE_PROPERTY = "keyslot.terminal";

    /** The same of standard output. */
    private static final String SCREEN_PROPERTY = "keyslot.screen";

    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

    /** Creates a terminal of a process that is not ended by it. */
    public Terminal(PrintWriter out, PrintWriter err, boolean interactive, boolean colored) {
        this(out, err, interactive, colored, false, exitCode -> {});
    }

    /** Begins anew at the top of the screen; elsewhere, an empty line stands between what was said and what comes. */
    public void begin(boolean isFirst) {
        if (screen) {
            out.print(HOME_AND_CLEAR);
        } else if (!isFirst) {
            out.println();
        }
    }

    /** Returns the terminal of this process, as the launcher and the variable {@code NO_COLOR} describe it. */
    public static Terminal ofThisProcess() {
        boolean interactive = Boolean.getBoolean(INTERACTIVE_PROPERTY);
        String noColor = System.getenv("NO_COLOR");
        boolean colored = interactive && (noColor == null || noColor.isEmpty());
        return new Terminal(
                writer(System.out),
                writer(System.err),
                interactive,
                colored,
                Boolean.getBoolean(SCREEN_PROPERTY),
                Runtime.getRuntime()::halt);
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, Charset.defaultCharset());
    }
}
