// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.measure.CostProfiler;
import java.io.IOException;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** The command line of JMH, with {@link CostProfiler} always on. */
public final class Benchmarks {
    private Benchmarks() {}

    public static void main(String[] arguments) throws IOException, RunnerException, CommandLineOptionException {
        CommandLineOptions options = new CommandLineOptions(arguments);
        if (asksForInformation(options)) {
            Main.main(arguments);
            return;
        }
        new Runner(new OptionsBuilder()
                        .parent(options)
                        .addProfiler(CostProfiler.class)
                        .build())
                .run();
    }

    private static boolean asksForInformation(CommandLineOptions options) {
        return options.shouldHelp()
                || options.shouldList()
                || options.shouldListWithParams()
                || options.shouldListProfilers()
                || options.shouldListResultFormats();
    }
}
