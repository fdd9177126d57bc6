// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.KeptContender;
import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.workload.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A JVM that measures one contender, with the options and the class path of this one. */
final class ContenderJvm {
    private static final long SECONDS_TO_START = 60;

    /** The time limit of a workload on a busy machine: open, fill, warm up, measure and close. */
    private static final long SECONDS_OF_A_WORKLOAD = 60;

    /** Equal for all, and enough for a local cache with all entries. */
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

    private final String servers;
    private final Plan plan;

    /** {@code servers} is the value of {@link BenchmarkServers#PROPERTY}. */
    ContenderJvm(String servers, Plan plan) {
        this.servers = servers;
        this.plan = plan;
    }

    /**
     * Measures workloads and passes each result to the listener at once; one without result has failed. Standard error
     * goes to {@code log}. Returns the exit status, more than 128 after a signal or a timeout.
     */
    int measure(ContenderType contender, List<Workload> workloads, Path log, Consumer<MeasurementLine> listener) {
        Process process = start(contender, workloads, log);
        Thread atShutdown = new Thread(process::destroyForcibly, "keyslot-bench-shutdown");
        Runtime.getRuntime().addShutdownHook(atShutdown);
        CompletableFuture<Process> limit = CompletableFuture.supplyAsync(
                process::destroyForcibly,
                CompletableFuture.delayedExecutor(
                        SECONDS_TO_START + (SECONDS_OF_A_WORKLOAD + plan.warmUp() + plan.seconds()) * workloads.size(),
                        TimeUnit.SECONDS));
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                MeasurementLine.parse(line).ifPresent(listener);
            }
            return process.onExit().join().exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read what was measured of " + contender.label(), e);
        } finally {
            limit.cancel(false);
            process.destroyForcibly();
            forget(atShutdown);
        }
    }

    private static void forget(Thread atShutdown) {
        try {
            Runtime.getRuntime().removeShutdownHook(atShutdown);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook runs.
        }
    }

    private Process start(ContenderType contender, List<Workload> workloads, Path log) {
        try {
            return new ProcessBuilder(command(contender, workloads))
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a JVM for " + contender.label(), e);
        }
    }

    private List<String> command(ContenderType contender, List<Workload> workloads) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(HEAP);
        command.add("-D" + BenchmarkServers.PROPERTY + "=" + servers);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("-D" + KeptContender.PROPERTY + "=true");
        command.add(ContenderMain.class.getName());
        command.add(contender.label());
        command.add(plan.lifetime().name());
        command.addAll(Stream.of(plan.firstWarmUp(), plan.warmUp(), plan.seconds())
                .map(String::valueOf)
                .toList());
        workloads.forEach(workload -> command.add(workload.toString()));
        return command;
    }
}
