// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs the demo: opens the system of record and the partitions, runs {@link DemoRun} and prints its report. The clock
 * measures durations.
 */
public record Demo(DemoOptions options, Terminal terminal, LongSupplier nanoClock) {
    /** Runs the demo and prints its report. Returns whether there were no errors, wrong answers and losses. */
    public boolean run(boolean isJson) {
        try (Partitions partitions = Partitions.open(options.engine())) {
            terminal.err().println("Opening FoodMart, the system of record; this takes some seconds");
            try (FoodMart foodMart = FoodMart.open();
                    ProgressBar progress = new ProgressBar(terminal, "load", options.sales())) {
                DemoReport report = new DemoRun(options, foodMart, partitions, progress, nanoClock).run();
                progress.close();
                (isJson ? List.of(report.json()) : report.lines()).forEach(terminal.out()::println);
                terminal.out().flush();
                return report.isGood();
            }
        }
    }
}
