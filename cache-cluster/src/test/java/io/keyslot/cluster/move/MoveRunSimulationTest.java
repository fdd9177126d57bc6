// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.move.MoveRunSimulation.Fault;
import io.keyslot.cluster.move.MoveRunSimulation.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Slots move under load, and whatever goes wrong, nobody reads what is out of date.
 *
 * <p>{@code -Dkeyslot.moves.runs} says how many runs there are of each fault, {@code -Dkeyslot.moves.seed} where they begin.
 */
class MoveRunSimulationTest {
    private static final int RUNS = Integer.getInteger("keyslot.moves.runs", 6);
    private static final long SEED = Long.getLong("keyslot.moves.seed", 69);

    private static final int RUNS_WITH_NEAR = Integer.getInteger("keyslot.moves.near", 1);

    /** Less than most of a move takes. */
    private static final Duration STALENESS = Duration.ofMillis(40);

    /** So many runs a guard that is missing may go unnoticed. */
    private static final int RUNS_OF_MUTANTS = Integer.getInteger("keyslot.moves.mutants", 200);

    /** What has to go wrong for a missing guard to be noticed. */
    private static final Map<Mutant, List<Fault>> NOTICED_BY = Map.ofEntries(
            Map.entry(Mutant.NO_BARRIER, List.of(Fault.CLIENT_SLEEPS)),
            Map.entry(Mutant.FROZEN_THOUGH_WRITTEN, List.of(Fault.NOTHING)),
            Map.entry(Mutant.NO_FREEZE, List.of(Fault.NOTHING)),
            Map.entry(Mutant.OWNED_BEFORE_CLOSED, List.of(Fault.NOTHING)),
            Map.entry(Mutant.OWNED_BEFORE_MOVED, List.of(Fault.CATALOGUE_SILENT, Fault.CATALOGUE_FAILS)),
            Map.entry(Mutant.ACTIVE_BEFORE_COMMIT, List.of(Fault.COORDINATOR_DIES)),
            Map.entry(Mutant.NO_NUMBER, List.of(Fault.LATE_COMMANDS)),
            Map.entry(Mutant.NO_SENTINEL, List.of(Fault.NOTES_LOST)),
            Map.entry(
                    Mutant.PLAIN_AT_SETTLE,
                    List.of(Fault.CATALOGUE_FAILS, Fault.CATALOGUE_SILENT, Fault.COORDINATOR_DIES)),
            Map.entry(Mutant.FORGOTTEN_AFTERWARDS, List.of(Fault.NOTHING)),
            Map.entry(Mutant.TARGET_NOT_EMPTIED, List.of(Fault.SOURCE_DEAD)),
            Map.entry(Mutant.IMPORTS_NOT_AWAITED, List.of(Fault.IMPORTS_OVERTAKE)),
            Map.entry(Mutant.THAWED_ALONE, List.of(Fault.SLEEPS_FROZEN)));

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nothingIsLost_nothingIsStale(Fault fault) {
        boolean wereSilent = fault != Fault.CATALOGUE_SILENT;
        for (long seed = SEED; seed < SEED + RUNS; seed++) {
            try {
                Seen seen = new MoveRunSimulation(seed, fault, Mutant.NONE).run();
                assertThat(seen.calls()).isGreaterThan(100);
                if (fault == Fault.NOTHING) {
                    assertThat(seen.failed()).isZero();
                    assertThat(seen.progress().pauses().longest()).isLessThan(Duration.ofMillis(50));
                    assertThat(seen.progress().pauses().longestOfReads()).isLessThan(Duration.ofMillis(20));
                } else if (fault == Fault.LARGE_AND_BUSY) {
                    assertThat(seen.failed()).isZero();
                    assertThat(seen.progress().pauses().longest()).isLessThan(Duration.ofMillis(300));
                } else if (fault == Fault.CATALOGUE_SILENT) {
                    assertThat(seen.progress().pauses().longest())
                            .as("it goes on as soon as there is an answer")
                            .isLessThan(MoveRunSimulation.SILENCE.plusMillis(60));
                    assertThat(seen.progress().pauses().longestOfReads())
                            .as("reads do not wait for it")
                            .isLessThan(OwnerChange.LONGEST_CLOSED.plusMillis(30));
                    wereSilent |= seen.progress().pauses().longest().compareTo(MoveRunSimulation.SILENCE) > 0;
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("%s, seed %d".formatted(fault, seed), e);
            }
        }
        assertThat(wereSilent).as("writes have waited for the map").isTrue();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nearCopies_areNoOlderThanAllowed(Fault fault) {
        for (long seed = SEED; seed < SEED + RUNS_WITH_NEAR; seed++) {
            try {
                assertThat(new MoveRunSimulation(seed, fault, Mutant.NONE, STALENESS)
                                .run()
                                .calls())
                        .isGreaterThan(100);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("%s, with near caches, seed %d".formatted(fault, seed), e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mutant.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void missingGuards_areNoticed(Mutant mutant) {
        for (long seed = SEED; seed < SEED + RUNS_OF_MUTANTS; seed++) {
            for (Fault fault : NOTICED_BY.getOrDefault(mutant, List.of())) {
                if (isNoticed(seed, fault, mutant)) {
                    return;
                }
            }
        }
        throw new AssertionError(mutant + " went unnoticed");
    }

    private static boolean isNoticed(long seed, Fault fault, Mutant mutant) {
        try {
            Seen unused = new MoveRunSimulation(seed, fault, mutant).run();
            return false;
        } catch (AssertionError | IllegalStateException violation) {
            return true;
        }
    }

    @Test
    void everyMutant_isTried() {
        assertThat(NOTICED_BY)
                .containsOnlyKeys(List.of(Mutant.values()).stream()
                        .filter(mutant -> mutant != Mutant.NONE)
                        .toArray(Mutant[]::new));
    }
}
