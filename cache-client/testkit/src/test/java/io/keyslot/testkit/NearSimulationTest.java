// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.simulation.Schedules;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Thousands of schedules of processes with near caches, each from a seed. */
class NearSimulationTest {
    private static final int SCHEDULES = 120;

    /** If near copies answered hardly anything, the test would show nothing. */
    private static final int FEWEST_NEAR_READS = 3;

    @Test
    void randomSchedules_findNothingOlderThanAllowed() {
        AtomicLong nearReads = new AtomicLong();

        Schedules.run(SCHEDULES, seed -> new NearSimulation(seed, nearReads::addAndGet));

        assertThat(nearReads.get()).isGreaterThan((long) Schedules.count(SCHEDULES) * FEWEST_NEAR_READS);
    }
}
