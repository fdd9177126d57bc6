// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.terminal.ProgressBar;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the demo: opens the system of record and the partitions, runs {@link DemoRun} and prints its report.
 *
 * <p>The clock measures durations. The onlooker, which may be null, shows the servers at the addresses it gets.
 */
public record Demo(
        DemoOptions options,
        Terminal terminal,
        LongSupplier nanoClock,
        @Nullable Function<String, Onlooker> onlooker) {
    /** Runs the demo and prints its report. Returns whether there were no errors, wrong answers and losses. */
    public boolean run(boolean isJson) {
        try (Partitions partitions = Partitions.open(options.engine());
                @Nullable Onlooker shown = onlooker == null ? null : onlooker.apply(partitions.addresses())) {
            terminal.err().println("Opening FoodMart, the system of record; this takes some seconds");
            try (FoodMart foodMart = FoodMart.open()) {
                DemoReport report;
                try (ProgressBar progress = new ProgressBar(terminal, "load", options.sales())) {
                    report = new DemoRun(options, foodMart, partitions, progress, nanoClock).run();
                }
                (isJson ? List.of(report.json()) : report.lines()).forEach(terminal.out()::println);
                terminal.out().flush();
                if (shown != null) {
                    shown.stay();
                }
                return report.isGood();
            }
        }
    }
}
