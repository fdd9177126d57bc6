// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.benchmarks.workload.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
    @Nested
    class Of {
        @Test
        void contenders_areSortedByThroughput() {
            Comparison comparison = Samples.compared(
                    Samples.measured("slow", 10),
                    Samples.measured("fast", 1_000),
                    Samples.measured(Comparison.REFERENCE, 100));

            assertThat(comparison.results())
                    .extracting(Result::contender)
                    .containsExactly("fast", Comparison.REFERENCE, "slow");
        }

        @Test
        void workloads_keepTheirOrder_acrossRounds() {
            Workload put = new Workload(Operation.PUT, ValueSize.BYTES_200, KeyChoice.UNIFORM, 1);
            Measurement ofPut = new Measurement("a", put, Map.of(Metric.THROUGHPUT, 1.0));

            List<Comparison> comparisons =
                    Comparison.of(List.of(ofPut, Samples.measured("a", 1), ofPut, Samples.measured("a", 2)));

            assertThat(comparisons).extracting(Comparison::workload).containsExactly(put, Samples.GET);
            assertThat(comparisons)
                    .allSatisfy(comparison ->
                            assertThat(comparison.results().get(0).rounds()).hasSize(2));
        }
    }

    @Nested
    class Median {
        @ParameterizedTest
        @CsvSource({"7, 7, 7, 7", "1, 2, 90, 2", "90, 1, 2, 2"})
        void ofThreeRounds_isTheMiddleOne(double first, double second, double third, double median) {
            assertThat(resultOf(first, second, third).throughput()).isEqualTo(median);
        }

        @Test
        void ofAnEvenNumber_isBetweenTheTwoInTheMiddle() {
            assertThat(resultOf(4, 1, 2, 100).throughput()).isEqualTo(3);
        }

        @Test
        void ofWhatWasNeverMeasured_isEmpty() {
            Result result = new Result("a", List.of(Samples.onlyThroughput("a", 1)));

            assertThat(result.figure(Metric.SERVER_CPU)).isEmpty();
            assertThat(result.cpu()).isEmpty();
        }

        private Result resultOf(double... throughputs) {
            return new Result(
                    "a",
                    Arrays.stream(throughputs)
                            .mapToObj(throughput -> Samples.measured("a", throughput))
                            .toList());
        }
    }

    @Nested
    class Ratio {
        @Test
        void isRelativeToTheReference() {
            Comparison comparison =
                    Samples.compared(Samples.measured("a", 150), Samples.measured(Comparison.REFERENCE, 100));

            Result fast = comparison.results().get(0);
            assertThat(comparison.ratio(fast, Metric.THROUGHPUT)).hasValue(1.5);
            assertThat(comparison.ratio(fast, Result::cpu).orElseThrow()).isCloseTo(1 / 1.5, within(1e-9));
        }

        @Test
        void withoutReference_isEmpty() {
            Comparison comparison = Samples.compared(Samples.measured("a", 150));

            assertThat(comparison.ratio(comparison.results().get(0), Metric.THROUGHPUT))
                    .isEmpty();
        }

        @Test
        void ofWhatOneOfThemLacks_isEmpty() {
            Comparison comparison =
                    Samples.compared(Samples.onlyThroughput("a", 150), Samples.measured(Comparison.REFERENCE, 100));

            assertThat(comparison.results())
                    .extracting(result -> comparison.ratio(result, Metric.ALLOCATED))
                    .containsExactly(OptionalDouble.empty(), OptionalDouble.of(1));
        }
    }

    @Test
    void measurementWithoutThroughput_isRefused() {
        assertThatThrownBy(() -> new Measurement("a", Samples.GET, Map.of(Metric.P50, 1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Measurement: a has no throughput of get, 8 threads, bytes_200 values, uniform keys");
    }
}
