// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.report.Comparison;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.benchmarks.workload.Workload;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is measured. What is not said is as in the short form, or as in the full one. */
final class PlanOptions {
    @Option(
            names = "--full",
            description = "Every operation, both sizes of values, both choices of keys, 1, 8 and 64 threads, 5 rounds:"
                    + " hours, unless other options make it smaller.")
    private boolean full;

    @Option(
            names = "--operations",
            paramLabel = "<operation>",
            split = ",",
            description = "get, put, getAll, putAll, invoke, mixed95, transaction; by default the first five.")
    private List<String> operations = List.of();

    @Option(
            names = "--contenders",
            paramLabel = "<contender>",
            split = ",",
            description = "By default all but those of a cluster and keyslot-typed; lettuce-sync is always there.")
    private List<String> contenders = List.of();

    @Option(
            names = "--threads",
            paramLabel = "<number>",
            split = ",",
            description = "How many threads call at the same time; by default 8, and for get also 1.")
    private List<Integer> threads = List.of();

    @Option(
            names = "--values",
            paramLabel = "<size>",
            split = ",",
            description = "bytes_200 (default) or kib_8, or both.")
    private List<ValueSize> values = List.of();

    @Option(names = "--keys", paramLabel = "<choice>", split = ",", description = "uniform (default) or zipf, or both.")
    private List<KeyChoice> keys = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "<number>",
            description = "How often each measurement is made; the tables have medians. By default 1, with --full 5.")
    private @Nullable Integer rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "<seconds>",
            description =
                    "How long each is called before it is measured; by default 1. Code that is not compiled yet is slow"
                            + " code: take 10 for figures that are to be quoted.")
    private int warmUp = 1;

    @Option(
            names = "--seconds",
            paramLabel = "<number>",
            description = "How long each takes; by default 1, with --full 2.")
    private @Nullable Integer seconds;

    @Option(
            names = "--lifetime",
            paramLabel = "<lifetime>",
            description =
                    "modified: an hour from the last write (default); created: from creation on; eternal. Those of"
                            + " keyslot-default and keyslot-typed are always eternal.")
    private Lifetime lifetime = Lifetime.MODIFIED;

    @Option(
            names = "--round-trip",
            paramLabel = "<time>",
            converter = RoundTrip.Converter.class,
            description = "What a network adds to each round trip to the servers, such as 500us; by default nothing."
                    + " A proxy in the process of this command does it. By default with those contenders only that"
                    + " use the servers.")
    private RoundTrip roundTrip = RoundTrip.NONE;

    /**
     * Returns the plan.
     *
     * @throws IllegalArgumentException if there is no such contender or operation, or a number is out of bounds
     */
    Plan plan() {
        Form form = full ? Form.FULL : Form.SHORT;
        return new Plan(
                contenderTypes(),
                workloads(form),
                rounds == null ? form.rounds() : rounds,
                warmUp,
                seconds == null ? form.seconds() : seconds,
                lifetime,
                roundTrip);
    }

    private List<ContenderType> contenderTypes() {
        Stream<ContenderType> chosen = contenders.isEmpty()
                ? ContenderType.all().stream()
                        .filter(ContenderType::isUsual)
                        .filter(type -> roundTrip.isNone() || type.usesServers())
                : contenders.stream().map(ContenderType::of);
        return Stream.concat(Stream.of(ContenderType.of(Comparison.REFERENCE)), chosen)
                .toList();
    }

    private List<Workload> workloads(Form form) {
        List<Operation> chosen = operations.isEmpty()
                ? form.operations()
                : operations.stream().map(Operation::of).toList();
        return or(values, form.values()).stream()
                .flatMap(value -> or(keys, form.keys()).stream()
                        .flatMap(choice ->
                                chosen.stream().flatMap(operation -> workloads(form, operation, value, choice))))
                .toList();
    }

    private Stream<Workload> workloads(Form form, Operation operation, ValueSize value, KeyChoice choice) {
        return or(threads, form.threads(operation)).stream()
                .map(number -> new Workload(operation, value, choice, number));
    }

    private static <T> List<T> or(List<T> said, List<T> otherwise) {
        return said.isEmpty() ? otherwise : said;
    }
}
