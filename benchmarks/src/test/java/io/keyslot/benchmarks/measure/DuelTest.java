// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DuelTest {
    private long now;

    @Test
    void round_reportsTheTimeOfEachSideAndTheirRatio() {
        Duel duel = new Duel(List.of(), () -> now);

        RunningTrial.begin(List.of());
        duel.round("slow", () -> now += 3_000_000, "fast", () -> now += 1_000_000);

        Map<String, RunningTrial.Figure> figures = RunningTrial.figures();
        RunningTrial.beginIteration();
        assertThat(figures.get("slow.time").value()).isCloseTo(3_000, within(1e-6));
        assertThat(figures.get("fast.time").value()).isCloseTo(1_000, within(1e-6));
        assertThat(figures.get("ratio.time").value()).isCloseTo(3, within(1e-6));
        assertThat(RunningTrial.figures()).isEmpty();
    }
}
