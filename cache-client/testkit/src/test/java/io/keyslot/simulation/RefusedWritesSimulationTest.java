// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import org.junit.jupiter.api.Test;

/** Many schedules of partitions that refuse writes, each from a seed. */
class RefusedWritesSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.schedules", 100);

    @Test
    void randomSchedules_serveWhatTheLastChangeThatWasDoneHasLeft_andNothingOlder() {
        Schedules.run(SCHEDULES, RefusedWritesSimulation::new);
    }
}
