// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.demo.DemoReport.Source;
import io.keyslot.cluster.terminal.Dots;
import io.keyslot.cluster.terminal.Terminal;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/** The demo: opens the system of record and the partitions, lets {@link DemoRun} work and prints what it found out. */
public final class Demo {
    private final DemoOptions options;
    private final Terminal terminal;
    private final LongSupplier nanoClock;
    private final Onlooker onlooker;

    /**
     * Prepares a demo.
     *
     * @param nanoClock a clock for lengths of time
     * @param onlooker who looks at the servers meanwhile
     */
    public Demo(DemoOptions options, Terminal terminal, LongSupplier nanoClock, Onlooker onlooker) {
        this.options = options;
        this.terminal = terminal;
        this.nanoClock = nanoClock;
        this.onlooker = onlooker;
    }

    /**
     * Runs the demo and prints its report.
     *
     * @param isJson whether for programs
     * @return whether the program saw neither an error nor a wrong answer, and nothing was lost that may not be
     */
    public boolean run(boolean isJson) {
        try (Partitions partitions = Partitions.open(options);
                Onlooker.Look look = onlooker.begin(partitions.addresses())) {
            long start = nanoClock.getAsLong();
            try (FoodMart foodMart = open()) {
                Duration openTime = Duration.ofNanos(nanoClock.getAsLong() - start);
                Source source = new Source(foodMart.customers(), foodMart.products(), foodMart.sales(), openTime);
                DemoReport report = new DemoRun(options, foodMart, partitions, terminal, nanoClock).report(source);
                if (isJson) {
                    terminal.out().println(CanonicalJson.write(DemoFields.of(report)));
                } else {
                    DemoText.of(report).forEach(terminal.out()::println);
                }
                terminal.out().flush();
                look.stay();
                return report.isGood();
            }
        }
    }

    private FoodMart open() {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try (Dots unused =
                new Dots(terminal, "Opening FoodMart, the system of record; this takes some seconds ", scheduler)) {
            return FoodMart.open();
        } finally {
            scheduler.shutdownNow();
        }
    }
}
