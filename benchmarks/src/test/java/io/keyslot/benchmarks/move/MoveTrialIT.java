// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.map.MovePace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class MoveTrialIT {
    private static final int QUARTER = 16_384 / 4;

    @Test
    void fourthServer_comesAndGoes_whileTwoClientsWork_andNothingIsWrong() {
        List<String> said = new ArrayList<>();

        MoveResult result =
                new MoveTrial(new MoveTrial.Size(5_000, 50, 2, 2, 1_000, 1, MovePace.MODEST), said::add).run();

        assertThat(result.isGood())
                .as("%s %s", result.counter().complaints(), said)
                .isTrue();
        assertThat(result.slots()).isEqualTo(QUARTER);
        assertThat(result.moves()).hasSize(6).allSatisfy(move -> {
            assertThat(move.end().copied().keys()).isPositive();
            assertThat(move.pauses()).isNotEmpty();
        });
        assertThat(result.figures()).containsEntry("lost", 0.0).containsKeys("throughput", "reads.moving.p99.ms");
    }
}
