// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many schedules of processes that listen to each other, each from a seed. */
@Tag("thorough")
class EventSimulationTest {
    private static final int SCHEDULES = 15;

    @Test
    void randomSchedules_leaveNoViewBehind() {
        List<EventSimulation> run = new ArrayList<>();

        Schedules.run(SCHEDULES, seed -> {
            EventSimulation simulation = new EventSimulation(seed);
            run.add(simulation);
            return simulation;
        });

        assertThat(run.stream().mapToInt(EventSimulation::heard).sum()).isGreaterThan(Schedules.count(SCHEDULES) * 20);
        assertThat(run.stream().mapToInt(EventSimulation::gaps).sum()).isGreaterThan(Schedules.count(SCHEDULES));
    }
}
