// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.function.IntConsumer;

/**
 * The output of a command: {@code interactive} is whether lines on {@code err} may be redrawn, {@code screen} whether
 * {@code out} may be cleared. {@code end} exits the process with a code after a signal asked it to end; otherwise the
 * code would be that of the signal.
 */
public record Terminal(
        PrintWriter out, PrintWriter err, boolean interactive, boolean colored, boolean screen, IntConsumer end) {
    /** Set to {@code true} by the launcher if standard error is a terminal, which the JVM cannot detect. */
    private static final String INTERACTIVE_PROPERTY = "keyslot.terminal";

    /** The same for standard output. */
    private static final String SCREEN_PROPERTY = "keyslot.screen";

    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

    public Terminal(PrintWriter out, PrintWriter err, boolean interactive, boolean colored) {
        this(out, err, interactive, colored, false, exitCode -> {});
    }

    /** Prints a line that is not part of the result. */
    public void progress(String line) {
        err.println(line);
        err.flush();
    }

    /** Clears the screen; if {@code out} is not a screen, prints an empty line between two results. */
    public void begin(boolean isFirst) {
        if (screen) {
            out.print(HOME_AND_CLEAR);
        } else if (!isFirst) {
            out.println();
        }
    }

    /** Returns the terminal of this process, by the launcher's properties and the variable {@code NO_COLOR}. */
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
