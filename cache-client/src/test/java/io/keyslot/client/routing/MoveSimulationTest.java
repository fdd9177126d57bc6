// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.keyslot.client.routing.MoveSimulation.Mutant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random schedules in which a slot moves while it is used. A failure tells its seed. */
class MoveSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.move.schedules", 400);

    @Test
    void slotThatMoves_losesNoWriteAndServesNothingStale() {
        int moves = 0;
        int reads = 0;
        for (long seed = 0; seed < SCHEDULES; seed++) {
            MoveSimulation simulation = new MoveSimulation(seed, Mutant.NONE);
            long thisOne = seed;
            List<Integer> counts = new ArrayList<>();
            assertThatCode(() -> counts.addAll(simulation.run()))
                    .as("seed %d", thisOne)
                    .doesNotThrowAnyException();
            moves += counts.get(0);
            reads += counts.get(1);
        }
        assertThat(moves).isGreaterThan(SCHEDULES);
        assertThat(reads).isGreaterThan(20 * SCHEDULES);
    }

    @ParameterizedTest
    @EnumSource(value = Mutant.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void defect_isFound(Mutant mutant) {
        assertThat(LongStream.range(0, 20_000).anyMatch(seed -> isFound(seed, mutant)))
                .isTrue();
    }

    private static boolean isFound(long seed, Mutant mutant) {
        try {
            List<Integer> unused = new MoveSimulation(seed, mutant).run();
            return false;
        } catch (RuntimeException thrown) {
            Throwable violation = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            assertThat(violation).hasMessage(MoveSimulation.VIOLATION);
            return true;
        }
    }
}
