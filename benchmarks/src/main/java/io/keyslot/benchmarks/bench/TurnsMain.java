// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.contender.Conditions;
import io.keyslot.benchmarks.contender.Contender;
import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.measure.Turns;
import io.keyslot.benchmarks.report.Metric;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What a JVM does that takes turns with others: whenever a number of milliseconds comes on standard input, it lets its
 * threads get entries for so long, and prints what that cost. It ends with its input.
 */
final class TurnsMain {
    private static final int FILLED_AT_ONCE = 500;
    private static final int CHOSEN = 1 << 14;
    private static final long SEED = 20_261_124;

    private TurnsMain() {}

    /** Runs; the arguments are those of {@link TurnsJvm}. */
    public static void main(String[] arguments) throws IOException {
        PrintStream lines = System.out;
        // Libraries that print must not be mistaken for measurements.
        System.setOut(System.err);
        Cell cell = Cell.parse(arguments[1]);
        int first = Integer.parseInt(arguments[2]);
        int entries = Integer.parseInt(arguments[3]);
        List<ServerProcess> servers = BenchmarkServers.named();
        Conditions conditions =
                new Conditions(servers.stream().map(ServerProcess::uri).toList(), Lifetime.MODIFIED);
        try (Contender contender = ContenderType.of(arguments[0]).open(conditions)) {
            fill(contender, first, entries, cell.value().samples());
            List<Runnable> callers = IntStream.range(0, cell.threads())
                    .mapToObj(thread -> gets(contender, chosen(first, entries, SEED + thread)))
                    .toList();
            try (Turns turns =
                    new Turns(callers, servers.stream().map(ServerProcess::pid).toList(), System::nanoTime)) {
                answer(turns, cell, lines);
            }
        }
        // Libraries may leave threads behind.
        System.exit(0);
    }

    private static void fill(Contender contender, int first, int entries, List<EncodedCustomer> samples) {
        for (int next = first; next < first + entries; next += FILLED_AT_ONCE) {
            contender.putAll(Batch.of(IntStream.range(next, next + FILLED_AT_ONCE), samples));
        }
    }

    private static int[] chosen(int first, int entries, long seed) {
        return new Random(seed).ints(CHOSEN, first, first + entries).toArray();
    }

    /** Returns what one thread calls. */
    private static Runnable gets(Contender contender, int[] chosen) {
        return new Runnable() {
            private int last;

            @Override
            public void run() {
                int id = chosen[++last & (CHOSEN - 1)];
                if (contender.get(id) == null) {
                    throw new IllegalStateException("Customer %d is lost".formatted(id));
                }
            }
        };
    }

    private static void answer(Turns turns, Cell cell, PrintStream lines) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String millis = orders.readLine(); millis != null; millis = orders.readLine()) {
            Turns.Cost cost = turns.take(Duration.ofMillis(Long.parseLong(millis)));
            lines.println(new MeasurementLine(
                    cell,
                    Map.of(
                            Metric.THROUGHPUT, cost.perSecond(),
                            Metric.CLIENT_CPU, cost.clientMicros(),
                            Metric.SERVER_CPU, cost.serverMicros(),
                            Metric.ALLOCATED, cost.allocatedBytes())));
            lines.flush();
        }
    }
}
