// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DuelTest {
    private long now;

    @Test
    void round_reportsTheTimeOfEachSideAndTheirRatio() {
        Duel duel = new Duel(List.of(), () -> now);

        RunningTrial.begin(List.of());
        duel.round("slow", () -> now += 3_000_000, "fast", () -> now += 1_000_000);

        assertThat(value("slow.time")).isCloseTo(3_000, within(1e-6));
        assertThat(value("fast.time")).isCloseTo(1_000, within(1e-6));
        assertThat(value("ratio.time")).isCloseTo(3, within(1e-6));
    }

    @Test
    void unknownCpuOfServers_isLeftOut() {
        RunningTrial.begin(List.of());
        new Duel(List.of(), () -> now).round("one", () -> now += 1_000_000, "other", () -> now += 1_000_000);

        assertThat(RunningTrial.figures()).doesNotContainKey("ratio.cpu.server").containsKey("ratio.cpu.client");
    }

    @Test
    void nextIteration_beginsWithoutFigures() {
        RunningTrial.begin(List.of());
        RunningTrial.report("some.time", 1, "us/op");

        RunningTrial.beginIteration();

        assertThat(RunningTrial.figures()).isEmpty();
    }

    private static double value(String name) {
        return Objects.requireNonNull(RunningTrial.figures().get(name)).value();
    }
}
