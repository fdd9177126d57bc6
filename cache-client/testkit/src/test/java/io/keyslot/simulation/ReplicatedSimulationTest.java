// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many schedules of a replicated cache, each from a seed. */
class ReplicatedSimulationTest {
    private static final int SCHEDULES = 200;

    /** If faults left hardly any read to be checked, the test would show nothing. */
    private static final int FEWEST_CHECKED_READS = 8;

    @Test
    void randomSchedules_leaveNoPartitionBehind() {
        List<ReplicatedSimulation> run = new ArrayList<>();

        Schedules.run(SCHEDULES, seed -> {
            ReplicatedSimulation simulation = new ReplicatedSimulation(seed);
            run.add(simulation);
            return simulation;
        });

        assertThat(run.stream().mapToInt(ReplicatedSimulation::checkedReads).sum())
                .isGreaterThan(Schedules.count(SCHEDULES) * FEWEST_CHECKED_READS);
    }
}
