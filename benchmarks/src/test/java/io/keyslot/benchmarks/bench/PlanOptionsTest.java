// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Operation;
import io.keyslot.benchmarks.report.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class PlanOptionsTest {
    @Nested
    class ShortForm {
        @Test
        void measuresFiveOperations_andGetByOneThreadAsWell() {
            assertThat(plan().cells())
                    .extracting(Cell::workload)
                    .containsExactly(
                            workload("get", 8),
                            workload("get", 1),
                            workload("put", 8),
                            workload("getAll", 8),
                            workload("putAll", 8),
                            workload("invoke", 8));
            assertThat(plan().method()).startsWith("1 round of 1 s after 1 s");
        }

        @Test
        void takesLessThanFiveMinutes() {
            assertThat(plan().estimate()).isLessThan(Duration.ofMinutes(5));
        }

        private Workload workload(String operation, int threads) {
            return new Workload(operation, "bytes_200", "uniform", threads);
        }
    }

    @Test
    void fullForm_measuresEverythingFiveTimes() {
        Plan plan = plan("--full");

        assertThat(plan.cells()).hasSize(7 * 2 * 2 * 3);
        assertThat(plan.rounds()).isEqualTo(5);
        assertThat(plan.method()).startsWith("Medians of 5 rounds of 2 s after 1 s");
    }

    @Test
    void options_makeTheFullFormSmaller() {
        Plan plan = plan("--full", "--operations", "getall", "--values", "kib_8", "--keys", "zipf", "--rounds", "3");

        assertThat(plan.cells())
                .extracting(Cell::workload)
                .extracting(Workload::title)
                .containsExactly(
                        "getAll, 8 threads, kib_8 values, zipf keys",
                        "getAll, 1 thread, kib_8 values, zipf keys",
                        "getAll, 64 threads, kib_8 values, zipf keys");
        assertThat(plan.rounds()).isEqualTo(3);
    }

    @Nested
    class Contenders {
        @Test
        void byDefault_areAll() {
            assertThat(plan().contenders()).containsExactlyElementsOf(ContenderType.all());
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

            assertThat(plan("--full").cellsOf(without))
                    .extracting(Cell::operation)
                    .doesNotContain(BenchOperation.TRANSACTION)
                    .contains(BenchOperation.MIXED);
        }

        @Test
        void thatCanDoNothingOfIt_areRefused() {
            List<Cell> transactions = plan("--operations", "transaction").cells();

            assertThatThrownBy(() -> new Plan(List.of(withoutTransactions()), transactions, 1, 1, 1))
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
    void cells_areReadAsTheyAreWritten() {
        List<Cell> cells = plan("--full").cells();

        assertThat(cells).extracting(cell -> Cell.parse(cell.toString())).isEqualTo(cells);
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
