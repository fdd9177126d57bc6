// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random schedules in which partitions come and go while callers work, on one thread. */
class TopologySimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.routing.schedules", 2_000);

    @Test
    void randomSchedules_keepEveryInvariant() {
        Map<String, Integer> seen = new HashMap<>();
        for (long seed = 0; seed < SCHEDULES; seed++) {
            TopologySimulation simulation = new TopologySimulation(seed, TopologySimulation.Mutant.NONE, seen);
            assertThatCode(simulation::run).as("seed %d", seed).doesNotThrowAnyException();
        }
        assertThat(seen.keySet()).contains("Done", "Refused", "Unknown", "read", "left");
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void mutant_isFound(TopologySimulation.Mutant mutant) {
        assertThatThrownBy(() -> {
                    for (long seed = 0; seed < SCHEDULES; seed++) {
                        new TopologySimulation(seed, mutant, new HashMap<>()).run();
                    }
                })
                .hasMessageContaining(mutant.violation);
    }
}
