// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Many schedules of a replicated cache, each from a seed. */
class ReplicatedSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("keyslot.simulation.schedules", 200);
    private static final long FIRST_SEED = Long.getLong("keyslot.simulation.seed", 0);

    /** If faults left hardly any read to be checked, the test would show nothing. */
    private static final int FEWEST_CHECKED_READS = 8;

    @Test
    void randomSchedules_leaveNoPartitionBehind() {
        int checkedReads = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            try (ReplicatedSimulation simulation = new ReplicatedSimulation(seed)) {
                run(seed, simulation);
                checkedReads += simulation.checkedReads();
            }
        }

        assertThat(checkedReads).isGreaterThan(SCHEDULES * FEWEST_CHECKED_READS);
    }

    private static void run(long seed, ReplicatedSimulation simulation) {
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
