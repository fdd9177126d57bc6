// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import org.junit.jupiter.api.Test;

/** Many schedules of partitions that refuse writes, each from a seed. */
class RefusedWritesSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("keyslot.simulation.schedules", 600);
    private static final long FIRST_SEED = Long.getLong("keyslot.simulation.seed", 0);

    @Test
    void randomSchedules_serveNothingThatAFailedWriteHasLeftOutOfDate() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            try (RefusedWritesSimulation simulation = new RefusedWritesSimulation(seed)) {
                run(seed, simulation);
            }
        }
    }

    private static void run(long seed, RefusedWritesSimulation simulation) {
        try {
            simulation.run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "Seed %d: %s%n%s"
                            .formatted(seed, e.getMessage(), String.join(System.lineSeparator(), simulation.log())),
                    e);
        }
    }
}
