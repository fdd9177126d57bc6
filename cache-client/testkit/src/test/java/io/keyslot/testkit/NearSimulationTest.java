// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.simulation.Schedules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Thousands of schedules of processes with near caches, each from a seed. */
class NearSimulationTest {
    private static final int SCHEDULES = 200;

    /** If near copies answered hardly anything, the test would show nothing. */
    private static final int FEWEST_NEAR_READS = 3;

    @Test
    void randomSchedules_findNothingOlderThanAllowed() {
        List<NearSimulation> run = new ArrayList<>();

        Schedules.run(SCHEDULES, seed -> {
            NearSimulation simulation = new NearSimulation(seed);
            run.add(simulation);
            return simulation;
        });

        assertThat(run.stream().mapToInt(NearSimulation::nearReads).sum())
                .isGreaterThan(Schedules.count(SCHEDULES) * FEWEST_NEAR_READS);
    }
}
