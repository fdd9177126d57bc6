// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.benchmarks.workload.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class PlanOptionsTest {
    @Nested
    class ByDefault {
        @Test
        void measuresFiveOperations_andGetByOneThreadAsWell() {
            assertThat(plan().workloads())
                    .containsExactly(
                            workload(Operation.GET, 8),
                            workload(Operation.GET, 1),
                            workload(Operation.PUT, 8),
                            workload(Operation.GET_ALL, 8),
                            workload(Operation.PUT_ALL, 8),
                            workload(Operation.INVOKE, 8));
            assertThat(plan().method()).startsWith("1 round of 1 s after 1 s");
        }

        @Test
        void takesLessThanFiveMinutes() {
            assertThat(plan().estimate()).isLessThan(Duration.ofMinutes(5));
        }

        private Workload workload(Operation operation, int threads) {
            return new Workload(operation, ValueSize.BYTES_200, KeyChoice.UNIFORM, threads);
        }
    }

    @Test
    void options_areCombined() {
        Plan plan = plan(
                "--operations",
                "getall",
                "--values",
                "bytes_200,kib_8",
                "--keys",
                "zipf",
                "--threads",
                "1,64",
                "--rounds",
                "3");

        assertThat(plan.workloads())
                .extracting(Workload::title)
                .containsExactly(
                        "getAll, 1 thread, bytes_200 values, zipf keys",
                        "getAll, 64 threads, bytes_200 values, zipf keys",
                        "getAll, 1 thread, kib_8 values, zipf keys",
                        "getAll, 64 threads, kib_8 values, zipf keys");
        assertThat(plan.method()).startsWith("Medians of 3 rounds of 1 s after 1 s");
    }

    @Nested
    class Contenders {
        @Test
        void byDefault_areAllButThoseOfAClusterAndOneMore() {
            List<String> labels = labels(plan());

            assertThat(ContenderType.all())
                    .extracting(ContenderType::label)
                    .filteredOn(label -> !labels.contains(label))
                    .containsExactly("keyslot-typed", "lettuce-cluster", "keyslot-cluster");
        }

        private static List<String> labels(Plan plan) {
            return plan.contenders().stream().map(ContenderType::label).toList();
        }

        @Test
        void thatAreNamed_areMeasuredBesideTheReference() {
            assertThat(plan("--contenders", "jedis,keyslot,jedis").contenders())
                    .extracting(ContenderType::label)
                    .containsExactly("lettuce-sync", "jedis", "keyslot");
        }

        @Test
        void areMeasuredOnlyInWhatTheyCan() {
            ContenderType without = withoutTransactions();

            assertThat(plan("--operations", "mixed95,transaction").workloadsOf(without))
                    .extracting(Workload::operation)
                    .doesNotContain(Operation.TRANSACTION)
                    .contains(Operation.MIXED);
        }

        @Test
        void thatCanDoNothingOfIt_areRefused() {
            List<Workload> transactions = plan("--operations", "transaction").workloads();

            assertThatThrownBy(() -> new Plan(List.of(withoutTransactions()), transactions, 1, 1, 1, Lifetime.MODIFIED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("operations: there is nothing to measure, as none of these contenders can do any of"
                            + " them");
        }

        private ContenderType withoutTransactions() {
            return ContenderType.all().stream()
                    .filter(type -> !type.operations().contains(Operation.TRANSACTION))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void lifetimeOfARun_isSaidWithItsMethod() {
        assertThat(plan("--lifetime", "eternal").method()).endsWith(" Lifetime: eternal.");
        assertThat(plan().method()).doesNotContain("Lifetime");
    }

    @Test
    void workloads_areReadAsTheyAreWritten() {
        List<Workload> workloads = plan("--values", "bytes_200,kib_8").workloads();

        assertThat(workloads)
                .extracting(workload -> Workload.parse(workload.toString()))
                .isEqualTo(workloads);
    }

    private static Plan plan(String... arguments) {
        Options options = new Options();
        new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return options.mixed.plan();
    }

    /** A command with these options. */
    @Command
    static final class Options {
        @CommandLine.Mixin
        private final PlanOptions mixed = new PlanOptions();
    }
}
