// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessCpuTest {
    @Test
    void firstNumber_isTheTimeOnAProcessor() {
        assertThat(ProcessCpu.nanosIn("123456 789 10\n")).isEqualTo(123_456);
    }
}
