// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import org.junit.jupiter.api.Test;

/** Schedules of calls and faults, each from a seed. */
class FaultSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.schedules", 200);

    @Test
    void randomSchedules_keepEveryPromise() {
        Schedules.run(SCHEDULES, FaultSimulation::new);
    }
}
