// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The demo: opens the system of record and the partitions, replays this number of sales by as many threads, and prints a
 * report. The clock measures durations.
 */
public record Demo(Engine engine, int sales, int threads, Terminal terminal, LongSupplier nanoClock) {
    public static final int ALL_SALES = 251_395;

    /** Fewer sales do not reach all phases. */
    public static final int FEWEST_SALES = 100;

    /** Well below the number of loads that a cache allows while a partition is missing. */
    public static final int MOST_THREADS = 32;

    public enum Engine {
        EMBEDDED,
        INSTANCES
    }

    /** Runs the demo and prints its report. Returns whether there were no errors, wrong answers and losses. */
    public boolean run(boolean isJson) {
        try (Partitions partitions = Partitions.open(engine)) {
            terminal.err().println("Opening FoodMart, the system of record; this takes some seconds");
            try (FoodMart foodMart = FoodMart.open();
                    ProgressBar progress = new ProgressBar(terminal, "load", sales)) {
                DemoReport report = new DemoRun(this, foodMart, partitions, progress).run();
                progress.close();
                (isJson ? List.of(report.json()) : report.lines()).forEach(terminal.out()::println);
                terminal.out().flush();
                return report.isGood();
            }
        }
    }
}
