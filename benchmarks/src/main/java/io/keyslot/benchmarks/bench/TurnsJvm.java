// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.server.BenchmarkServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A JVM that takes turns with others. Not safe for use by several threads. */
final class TurnsJvm implements AutoCloseable {
    private static final long MOST_MINUTES = 30;

    private final String label;
    private final Path log;
    private final Process process;
    private final PrintWriter orders;
    private final BufferedReader answers;
    private final CompletableFuture<Process> limit;

    private TurnsJvm(String label, Path log, Process process) {
        this.label = label;
        this.log = log;
        this.process = process;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.limit = CompletableFuture.supplyAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(MOST_MINUTES, TimeUnit.MINUTES));
    }

    /**
     * Starts it.
     *
     * @param label its name in tables
     * @param classes directories with classes that are used instead of those of the class path
     * @param firstId of its entries, which no other JVM has
     * @param log gets what is printed to standard error
     */
    static TurnsJvm start(
            String label,
            List<Path> classes,
            SafetyEngine engine,
            int firstId,
            int entries,
            BenchmarkServers servers,
            Path log) {
        List<String> command = JvmCommand.of(servers, classes);
        command.add(TurnsMain.class.getName());
        command.addAll(List.of(
                engine.contender(), engine.cell().toString(), Integer.toString(firstId), Integer.toString(entries)));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new TurnsJvm(label, log, process);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a JVM for " + label, e);
        }
    }

    /**
     * Lets it run this long, and returns what that cost.
     *
     * @throws IllegalStateException if it has ended
     */
    Measurement turn(Duration length) {
        orders.println(length.toMillis());
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                Optional<Measurement> measured = MeasurementLine.parse(line).flatMap(found -> found.measurement(label));
                if (measured.isPresent()) {
                    return measured.get();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read what was measured of " + label, e);
        }
        throw new IllegalStateException("%s: its JVM has ended, and its log is %s".formatted(label, log));
    }

    @Override
    public void close() {
        limit.cancel(false);
        process.destroyForcibly();
    }
}
