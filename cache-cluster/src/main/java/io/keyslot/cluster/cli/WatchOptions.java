// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.move.MoveTime;
import io.keyslot.cluster.terminal.Terminal;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of a command that repeats its output. */
final class WatchOptions {
    private static final int LONGEST_SECONDS = 3_600;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(names = "--watch", description = "Repeat until Ctrl-C.")
    private boolean isOn;

    @Option(
            names = "--interval",
            paramLabel = "<seconds>",
            defaultValue = "2",
            description = "Seconds between two refreshes; 2 by default.")
    private int seconds;

    @Option(
            names = "--looks",
            paramLabel = "<n>",
            description = "With --watch, stop after this many refreshes. With -o json, each is a separate document.")
    private int checks;

    /** Throws ParameterException if the options cannot be combined. */
    public void check() {
        if (spec != null && (seconds < 1 || seconds > LONGEST_SECONDS || checks < 0 || (checks > 0 && !isOn))) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--interval is from 1 to %d seconds, and --looks goes with --watch".formatted(LONGEST_SECONDS));
        }
    }

    /** Runs the action once or repeatedly; returns its last exit code. */
    public int run(Terminal terminal, MoveTime time, boolean isJson, IntSupplier look) {
        int exitCode = ExitCode.OK;
        for (int n = 1; n == 1 || (isOn && (checks == 0 || n <= checks)); n++) {
            if (n > 1) {
                time.waiter().pause(Duration.ofSeconds(seconds));
                if (Thread.currentThread().isInterrupted()) {
                    return exitCode;
                }
            }
            if (isOn && !isJson) {
                terminal.begin(n == 1);
            }
            exitCode = look.getAsInt();
            terminal.out().flush();
        }
        return exitCode;
    }
}
