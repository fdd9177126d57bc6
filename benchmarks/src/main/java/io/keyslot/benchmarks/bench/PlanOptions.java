// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.report.Comparison;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.benchmarks.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options that select the measurements. The default takes less than 5 minutes on 2 processors. */
final class PlanOptions {
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
            description =
                    "The default is all except those of a cluster and keyslot-typed. lettuce-sync is always included.")
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
            description = "How often each measurement is made; the tables have medians. By default 1.")
    private int rounds = 1;

    @Option(
            names = "--warm-up",
            paramLabel = "<seconds>",
            description =
                    "How long each is called before it is measured; by default 1. Code that is not compiled yet is slow"
                            + " code: take 10 for figures that are to be quoted.")
    private int warmUp = 1;

    @Option(names = "--seconds", paramLabel = "<number>", description = "How long each takes; by default 1.")
    private int seconds = 1;

    @Option(
            names = "--lifetime",
            paramLabel = "<lifetime>",
            description =
                    "modified: an hour from the last write (default); created: from creation on; eternal. Those of"
                            + " keyslot-default and keyslot-typed are always eternal.")
    private Lifetime lifetime = Lifetime.MODIFIED;

    /** Throws {@code IllegalArgumentException} if there is no such contender or operation, or a number is out of bounds. */
    Plan plan() {
        return new Plan(contenderTypes(), workloads(), rounds, warmUp, seconds, lifetime);
    }

    private List<ContenderType> contenderTypes() {
        Stream<ContenderType> chosen = contenders.isEmpty()
                ? ContenderType.all().stream().filter(ContenderType::isUsual)
                : contenders.stream().map(ContenderType::of);
        return Stream.concat(Stream.of(ContenderType.of(Comparison.REFERENCE)), chosen)
                .toList();
    }

    private List<Workload> workloads() {
        List<Operation> chosen = operations.isEmpty()
                ? List.of(Operation.GET, Operation.PUT, Operation.GET_ALL, Operation.PUT_ALL, Operation.INVOKE)
                : operations.stream().map(Operation::of).toList();
        List<Workload> workloads = new ArrayList<>();
        for (ValueSize value : values.isEmpty() ? List.of(ValueSize.BYTES_200) : values) {
            for (KeyChoice choice : keys.isEmpty() ? List.of(KeyChoice.UNIFORM) : keys) {
                for (Operation operation : chosen) {
                    for (int number : threadsOf(operation)) {
                        workloads.add(new Workload(operation, value, choice, number));
                    }
                }
            }
        }
        return workloads;
    }

    private List<Integer> threadsOf(Operation operation) {
        if (!threads.isEmpty()) {
            return threads;
        }
        return operation == Operation.GET ? List.of(8, 1) : List.of(8);
    }
}
