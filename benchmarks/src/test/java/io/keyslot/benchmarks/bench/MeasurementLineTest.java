// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.report.Metric;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.benchmarks.workload.Workload;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeasurementLineTest {
    private static final Workload WORKLOAD = new Workload(Operation.GET_ALL, ValueSize.KIB_8, KeyChoice.ZIPF, 64);

    @Test
    void line_isReadAsItIsWritten() {
        MeasurementLine line = new MeasurementLine(
                WORKLOAD, Map.of(Metric.THROUGHPUT, 1234.5, Metric.P999, 1e-3, Metric.ALLOCATED, 0.0));

        assertThat(MeasurementLine.parse(line.toString())).contains(line);
        assertThat(line.measurement("jedis")).contains(new Measurement("jedis", WORKLOAD, line.figures()));
    }

    @Test
    void failure_isALineWithoutFigures() {
        MeasurementLine line = new MeasurementLine(WORKLOAD, Map.of());

        assertThat(MeasurementLine.parse(line.toString())).contains(line);
        assertThat(line.measurement("jedis")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Members [3]", "a\tb", "# JMH"})
    void otherLines_areNoMeasurements(String line) {
        assertThat(MeasurementLine.parse(line)).isEmpty();
    }
}
