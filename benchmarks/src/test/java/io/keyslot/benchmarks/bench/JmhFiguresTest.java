// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.measure.CostProfiler;
import io.keyslot.benchmarks.report.Metric;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JmhFiguresTest {
    @Test
    void metrics_haveTheLabelsOfTheProfiler() {
        assertThat(Stream.of(Metric.values()).map(Metric::label))
                .contains(
                        CostProfiler.P50,
                        CostProfiler.P99,
                        CostProfiler.P999,
                        CostProfiler.CPU_CLIENT,
                        CostProfiler.CPU_SERVER,
                        CostProfiler.ALLOCATED);
    }
}
