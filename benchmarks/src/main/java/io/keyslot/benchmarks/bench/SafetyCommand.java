// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Comparison;
import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.report.PairedTable;
import io.keyslot.benchmarks.report.RunFacts;
import io.keyslot.benchmarks.safety.SafetyBuild;
import io.keyslot.benchmarks.safety.SafetyFeature;
import io.keyslot.cluster.terminal.Terminal;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code keyslot bench safety}. */
@Command(
        name = "safety",
        description =
                "Measures what safety costs a get: Keyslot beside builds of it in which something is switched off.",
        footer = {
            "",
            "The builds are made of the sources of this checkout. A ratio is that of a build without something to the"
                    + " full one: where that of the CPU is 0.98, the thing costs 2 percent of a get."
        })
final class SafetyCommand implements Callable<Integer> {
    private static final String FULL = "full";

    private final Terminal terminal;
    private final InstantSource clock;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--engines",
            paramLabel = "<engine>",
            split = ",",
            description = "servers, called by 8 threads, or embedded, called by one; by default both.")
    private List<SafetyEngine> engines = List.of(SafetyEngine.values());

    @Option(
            names = "--rounds",
            paramLabel = "<number>",
            description = "How often the JVMs of all builds are started; by default 5. A round takes two minutes.")
    private int rounds = 5;

    @Option(
            names = "--turns",
            paramLabel = "<number>",
            description = "How often each of them runs for 200 ms in a round; by default 40.")
    private int turns = 40;

    @Mixin
    private final ReportFiles files = new ReportFiles();

    SafetyCommand(Terminal terminal, InstantSource clock) {
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() {
        check();
        try (BenchRun run = BenchRun.start(terminal, clock)) {
            SafetyRounds measured = new SafetyRounds(builds(run.directory()), rounds, turns);
            RunFacts facts = run.facts(BenchCommand.commandLine(spec()), measured.method());
            List<Comparison> comparisons = new ArrayList<>();
            List<String> lines = new ArrayList<>(List.of(facts.line(), PairedTable.legend(FULL)));
            for (SafetyEngine engine : engines) {
                List<Measurement> turns = measured.run(engine, run.servers(), run.directory(), terminal);
                Comparison.of(turns, FULL).forEach(comparison -> {
                    comparisons.add(comparison);
                    lines.add("");
                    lines.addAll(PairedTable.lines(engine.title(), comparison.results(), FULL));
                });
            }
            lines.forEach(terminal.out()::println);
            files.write(facts, comparisons);
            return run.finish();
        }
    }

    private void check() {
        try {
            files.check();
            new SafetyRounds(Map.of(), rounds, turns).method();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns where the classes of each build are. */
    private static Map<String, List<Path>> builds(Path directory) {
        Map<String, List<Path>> builds = new LinkedHashMap<>();
        builds.put(FULL, List.of());
        for (List<SafetyFeature> features : SafetyFeature.builds()) {
            SafetyBuild build = new SafetyBuild(features);
            builds.put(build.label(), List.of(build.compile(directory.resolve("build" + builds.size()))));
        }
        return builds;
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("picocli sets the specification first");
        }
        return spec;
    }
}
