// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.CacheBenchmark;
import io.keyslot.benchmarks.measure.CostProfiler;
import io.keyslot.benchmarks.workload.Workload;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The main class of a contender's JVM: measures its workloads and prints a line for each. JMH's own forks would start a
 * JVM and fill a cache for every workload, which takes longer than measuring.
 */
final class ContenderMain {
    private static final TimeValue LONGEST_ITERATION = TimeValue.seconds(60);

    private final PrintStream lines;
    private final String contender;
    private final String lifetime;
    private final int firstWarmUp;
    private final int warmUp;
    private final int seconds;

    private ContenderMain(
            PrintStream lines, String contender, String lifetime, int firstWarmUp, int warmUp, int seconds) {
        this.lines = lines;
        this.contender = contender;
        this.lifetime = lifetime;
        this.firstWarmUp = firstWarmUp;
        this.warmUp = warmUp;
        this.seconds = seconds;
    }

    public static void main(String[] arguments) {
        PrintStream lines = System.out;
        // Output of libraries must not be mistaken for measurements.
        System.setOut(System.err);
        ContenderMain main = new ContenderMain(
                lines,
                arguments[0],
                arguments[1],
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]));
        boolean succeeded =
                main.run(Stream.of(arguments).skip(5).map(Workload::parse).toList());
        // Libraries may leave threads behind.
        System.exit(succeeded ? 0 : 1);
    }

    private boolean run(List<Workload> workloads) {
        boolean succeeded = true;
        int secondsToWarmUp = firstWarmUp;
        for (Workload workload : workloads) {
            succeeded &= run(workload, secondsToWarmUp);
            secondsToWarmUp = warmUp;
        }
        return succeeded;
    }

    private boolean run(Workload workload, int secondsToWarmUp) {
        try {
            new Runner(options(workload, secondsToWarmUp))
                    .run()
                    .forEach(result -> lines.println(new MeasurementLine(workload, JmhFigures.of(result))));
            return true;
        } catch (RunnerException e) {
            // The others may succeed. Standard error is the log that the report names.
            System.err.println("Failed: " + workload);
            e.printStackTrace();
            lines.println(new MeasurementLine(workload, Map.of()));
            return false;
        }
    }

    private org.openjdk.jmh.runner.options.Options options(Workload workload, int secondsToWarmUp) {
        return new OptionsBuilder()
                .include(CacheBenchmark.class.getName().replace(".", "\\.") + "\\."
                        + workload.operation().method() + "$")
                .param("contender", contender)
                .param("lifetime", lifetime)
                .param("keys", workload.keys().name())
                .param("value", workload.value().name())
                .param("entries", Integer.toString(workload.entries()))
                .threads(workload.threads())
                .forks(0)
                .warmupIterations(1)
                .warmupTime(TimeValue.seconds(secondsToWarmUp))
                .measurementIterations(1)
                .measurementTime(TimeValue.seconds(seconds))
                .timeout(LONGEST_ITERATION)
                .addProfiler(CostProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }
}
