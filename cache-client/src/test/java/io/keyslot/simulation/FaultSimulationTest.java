// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import org.junit.jupiter.api.Test;

/** Thousands of schedules of calls and faults, each from a seed. */
class FaultSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("keyslot.simulation.schedules", 2_000);
    private static final long FIRST_SEED = Long.getLong("keyslot.simulation.seed", 0);

    @Test
    void randomSchedules_keepEveryPromise() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            try (FaultSimulation simulation = new FaultSimulation(seed)) {
                run(seed, simulation);
            }
        }
    }

    private static void run(long seed, FaultSimulation simulation) {
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
