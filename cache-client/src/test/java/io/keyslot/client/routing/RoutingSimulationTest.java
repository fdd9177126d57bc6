// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

/** Random schedules of commands, answers, losses, connects, slot maps and time, on one thread. */
class RoutingSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.routing.schedules", 1_500);

    @Test
    void randomSchedules_keepEveryInvariant() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            RoutingSimulation simulation = new RoutingSimulation(seed);
            assertThatCode(simulation::run).as("seed %d", seed).doesNotThrowAnyException();
        }
    }
}
