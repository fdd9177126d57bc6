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
 * @param end ends the process with an exit code, when it was told to end by somebody else: it has another one otherwise
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean interactive, boolean colored, IntConsumer end) {
    /** Set to {@code true} by the launcher if standard error is a terminal; the JVM cannot tell it of one stream. */
    private static final String INTERACTIVE_PROPERTY = "keyslot.terminal";

    /** Creates a terminal of a process that is not ended by it. */
    public Terminal(PrintWriter out, PrintWriter err, boolean interactive, boolean colored) {
        this(out, err, interactive, colored, exitCode -> {});
    }

    /** Returns the terminal of this process, as the launcher and the variable {@code NO_COLOR} describe it. */
    public static Terminal ofThisProcess() {
        boolean interactive = Boolean.getBoolean(INTERACTIVE_PROPERTY);
        String noColor = System.getenv("NO_COLOR");
        boolean colored = interactive && (noColor == null || noColor.isEmpty());
        return new Terminal(writer(System.out), writer(System.err), interactive, colored, Runtime.getRuntime()::halt);
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, Charset.defaultCharset());
    }
}
