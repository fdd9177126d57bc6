// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.move.MigrationSimulation.Fault;
import io.keyslot.cluster.move.MigrationSimulation.Kind;
import io.keyslot.cluster.move.MigrationSimulation.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Slots move under load, and whatever goes wrong, nobody reads what is out of date.
 *
 * <p>{@code -Dtests.moves.runs} says how many runs there are of each fault, {@code -Dtests.moves.seed} where they begin.
 */
class MoveRunSimulationTest {
    private static final int RUNS = Integer.getInteger("tests.moves.runs", 1);
    private static final long SEED = Long.getLong("tests.moves.seed", 69);

    /** What the steps of a handover take at most, when there is little to be copied. */
    private static final Duration STEPS = Duration.ofMillis(50);

    private static final Duration A_FEW_COMMANDS = Duration.ofMillis(10);

    /** A call has so much time. */
    private static final Duration DEADLINE = Duration.ofMillis(500);

    /** So many runs a guard that is missing may go unnoticed. */
    private static final int RUNS_OF_MUTANTS = Integer.getInteger("tests.moves.mutants", 200);

    /** What has to go wrong for a missing guard to be noticed. */
    private static final Map<Mutant, List<Fault>> NOTICED_BY = Map.ofEntries(
            Map.entry(Mutant.NO_BARRIER, List.of(Fault.CLIENT_SLEEPS)),
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
            Map.entry(Mutant.RECOVERED_ALONE, List.of(Fault.SLEEPS_FROZEN)));

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nothingIsLost_nothingIsStale(Fault fault) {
        boolean wereSilent = fault != Fault.CATALOGUE_SILENT;
        for (long seed = SEED; seed < SEED + RUNS; seed++) {
            try {
                Seen seen = new MigrationSimulation(seed, fault, Mutant.NONE).run();
                assertThat(seen.calls()).isGreaterThan(fault == Fault.LARGE_AND_BUSY ? 20 : 100);
                if (fault == Fault.NOTHING) {
                    assertThat(seen.failed()).isZero();
                    assertThat(seen.progress().pauses().longest()).isLessThan(STEPS);
                    assertThat(seen.progress().pauses().longestOfReads()).isLessThan(Duration.ofMillis(20));
                } else if (fault == Fault.LARGE_AND_BUSY) {
                    checkPausesForWhatIsLarge(seen);
                } else if (fault == Fault.CATALOGUE_SILENT) {
                    assertThat(seen.progress().pauses().longest())
                            .as("it goes on as soon as there is an answer")
                            .isLessThan(MigrationSimulation.SILENCE.plusMillis(60));
                    assertThat(seen.progress().pauses().longestOfReads())
                            .as("reads do not wait for it")
                            .isLessThan(Cutover.LONGEST_CLOSED.plusMillis(30));
                    wereSilent |= seen.progress().pauses().longest().compareTo(MigrationSimulation.SILENCE) > 0;
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("%s, seed %d".formatted(fault, seed), e);
            }
        }
        assertThat(wereSilent).as("writes have waited for the map").isTrue();
    }

    /**
     * Nothing is frozen of which the last copy has taken longer than writes may wait by then, and they may never wait for longer than
     * the longest freeze. So how long they wait follows from how long it takes to copy what is large, and from nothing else.
     */
    private static void checkPausesForWhatIsLarge(Seen seen) {
        Duration longest = seen.progress().pauses().longest();
        boolean isTooLarge = seen.large().compareTo(Cutover.LONGEST_FREEZE) > 0;
        if (isTooLarge) {
            assertThat(seen.isLargeAtRest()).as("it is said").isTrue();
            assertThat(longest).as("%s", seen.large()).isLessThan(Cutover.FIRST_FREEZE.plus(STEPS));
        } else {
            Duration allowed = Cutover.FIRST_FREEZE;
            while (allowed.compareTo(seen.large().plus(A_FEW_COMMANDS)) < 0) {
                allowed = allowed.multipliedBy(2);
            }
            assertThat(longest).as("%s", seen.large()).isLessThan(allowed.plus(STEPS));
            assertThat(longest).as("%s", seen.large()).isLessThan(Cutover.LONGEST_FREEZE.plus(STEPS));
        }
        if (longest.compareTo(DEADLINE) < 0) {
            assertThat(seen.failed()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nearCopies_areNoOlderThanAllowed(Fault fault) {
        play(fault, Kind.NEAR);
    }

    /** What is owed for a slot is owed wherever it goes: its new owner has got what was to be deleted. */
    @ParameterizedTest
    @EnumSource(Fault.class)
    void whatAProcessCouldNotWrite_isNotReadByItAsItWas_whereverItsSlotGoes(Fault fault) {
        play(fault, Kind.JOURNALED);
    }

    /** Nothing is stale, and nothing that is used is lost: it is brought when it is used. */
    @ParameterizedTest
    @EnumSource(Fault.class)
    void coldMoves_bringWhatIsUsed_andServeNothingStale(Fault fault) {
        play(fault, Kind.COLD);
    }

    private static void play(Fault fault, Kind kind) {
        for (long seed = SEED; seed < SEED + RUNS; seed++) {
            try {
                Seen seen = new MigrationSimulation(seed, fault, Mutant.NONE, kind).run();
                assertThat(seen.checkedReads()).isGreaterThan(fault == Fault.LARGE_AND_BUSY ? 5 : 30);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("%s, %s, seed %d".formatted(fault, kind, seed), e);
            }
        }
    }

    @Tag("thorough")
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
            Seen unused = new MigrationSimulation(seed, fault, mutant).run();
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
