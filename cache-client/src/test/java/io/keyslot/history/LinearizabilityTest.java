// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import static io.keyslot.history.Histories.get;
import static io.keyslot.history.Histories.ok;
import static io.keyslot.history.Histories.put;
import static io.keyslot.history.Histories.replace;
import static io.keyslot.history.Histories.with;
import static io.keyslot.history.Histories.withResult;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.keyslot.history.Linearizability.Finding;
import io.keyslot.history.Linearizability.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LinearizabilityTest {
    private static boolean isLinearizable(Model model, Operation... history) {
        return new Linearizability(model).check(List.of(history)).isEmpty();
    }

    private static boolean isStrict(Operation... history) {
        return isLinearizable(Model.STRICT, history);
    }

    private static boolean isLossy(Operation... history) {
        return isLinearizable(Model.LOSSY, history);
    }

    @Nested
    class Strict {
        @Test
        void readAfterAWrite_mustSeeIt() {
            assertThat(isStrict(put("a", 1, 0, 1), get("b", 1L, 2, 3))).isTrue();
            assertThat(isStrict(put("a", 1, 0, 1), get("b", null, 2, 3))).isFalse();
        }

        @Test
        void readDuringAWrite_maySeeItOrNot() {
            assertThat(isStrict(put("a", 1, 0, 9), get("b", 1L, 2, 3))).isTrue();
            assertThat(isStrict(put("a", 1, 0, 9), get("b", null, 2, 3))).isTrue();
        }

        @Test
        void valueThatWasSeen_mustNotDisappearAgain() {
            assertThat(isStrict(put("a", 1, 0, 9), get("b", 1L, 2, 3), get("c", null, 4, 5)))
                    .isFalse();
        }

        @Test
        void orderOfTwoWrites_isTheSameForAllReaders() {
            Operation one = put("a", 1, 0, 9);
            Operation two = put("b", 2, 0, 9);

            assertThat(isStrict(one, two, get("c", 1L, 10, 11), get("d", 2L, 12, 13)))
                    .isFalse();
            assertThat(isStrict(one, two, get("c", 1L, 3, 4), get("d", 2L, 5, 6)))
                    .isTrue();
        }

        @Test
        void lostUpdate_isFound() {
            Operation first = put("a", 10, 0, 1);
            Operation left = ok("a", Action.INCREMENT, 1L, 11L, 2, 9);

            assertThat(isStrict(first, left, ok("b", Action.INCREMENT, 1L, 12L, 2, 9)))
                    .isTrue();
            assertThat(isStrict(first, left, ok("b", Action.INCREMENT, 1L, 11L, 2, 9)))
                    .isFalse();
        }

        @Test
        void keysAreIndependent() {
            Operation other = new Operation("b", Action.GET, "other", null, null, Outcome.OK, 1L, 2, 3, "");

            assertThat(new Linearizability(Model.STRICT).check(List.of(put("a", 1, 0, 1), other)))
                    .extracting(Finding::key, Finding::verdict)
                    .containsExactly(tuple("other", Verdict.NOT_LINEARIZABLE));
        }
    }

    @Nested
    class Actions {
        @Test
        void putIfAbsent_hasOneWinner() {
            Operation won = ok("a", Action.PUT_IF_ABSENT, 1L, true, 0, 9);

            assertThat(isStrict(won, ok("b", Action.PUT_IF_ABSENT, 2L, false, 0, 9), get("c", 1L, 10, 11)))
                    .isTrue();
            assertThat(isStrict(won, ok("b", Action.PUT_IF_ABSENT, 2L, true, 0, 9)))
                    .isFalse();
        }

        @Test
        void replace_needsAnEntry() {
            assertThat(isStrict(ok("a", Action.REPLACE, 1L, false, 0, 1), get("a", null, 2, 3)))
                    .isTrue();
            assertThat(isStrict(put("a", 1, 0, 1), ok("a", Action.REPLACE, 2L, false, 2, 3)))
                    .isFalse();
        }

        @Test
        void replaceOfAnExpectedValue_needsThatValue() {
            assertThat(isStrict(put("a", 1, 0, 1), replace("a", 1, 2, true, 2, 3), get("b", 2L, 4, 5)))
                    .isTrue();
            assertThat(isStrict(put("a", 1, 0, 1), replace("a", 5, 2, true, 2, 3)))
                    .isFalse();
        }

        @Test
        void getAndPut_answersWhatWasThere() {
            assertThat(isStrict(put("a", 1, 0, 1), ok("a", Action.GET_AND_PUT, 2L, 1L, 2, 3)))
                    .isTrue();
            assertThat(isStrict(put("a", 1, 0, 1), ok("a", Action.GET_AND_PUT, 2L, null, 2, 3)))
                    .isFalse();
        }

        @Test
        void remove_tellsWhetherSomethingWasThere() {
            assertThat(isStrict(ok("a", Action.REMOVE, null, false, 0, 1))).isTrue();
            assertThat(isStrict(put("a", 1, 0, 1), ok("a", Action.REMOVE, null, false, 2, 3)))
                    .isFalse();
        }
    }

    @Nested
    class Outcomes {
        @Test
        void failedWrite_hasNotHappened() {
            Operation failed = with(Outcome.FAILED, put("a", 1, 0, 1));

            assertThat(isStrict(failed, get("b", null, 2, 3))).isTrue();
            assertThat(isStrict(failed, get("b", 1L, 2, 3))).isFalse();
        }

        @Test
        void unknownWrite_mayHaveHappenedOrNotOrLater() {
            Operation unknown = with(Outcome.UNKNOWN, put("a", 1, 0, 1));

            assertThat(isStrict(unknown, get("b", null, 2, 3))).isTrue();
            assertThat(isStrict(unknown, get("b", 1L, 2, 3))).isTrue();
            assertThat(isStrict(unknown, get("b", null, 2, 3), get("b", 1L, 4, 5)))
                    .isTrue();
        }

        @Test
        void unknownWrite_happensOnlyOnce() {
            Operation unknown = with(Outcome.UNKNOWN, put("a", 1, 0, 1));

            assertThat(isStrict(unknown, get("b", 1L, 2, 3), put("b", 2, 4, 5), get("b", 1L, 6, 7)))
                    .isFalse();
        }

        @Test
        void unknownWrite_doesNotHappenBeforeItBegan() {
            assertThat(isStrict(get("b", 1L, 0, 1), with(Outcome.UNKNOWN, put("a", 1, 2, 3))))
                    .isFalse();
        }
    }

    @Nested
    class Lossy {
        @Test
        void lostValue_isNoViolation() {
            assertThat(isLossy(put("a", 1, 0, 1), get("b", null, 2, 3))).isTrue();
            assertThat(isLossy(put("a", 1, 0, 1), ok("b", Action.PUT_IF_ABSENT, 2L, true, 2, 3)))
                    .isTrue();
        }

        @Test
        void resurrectedValue_isFound() {
            assertThat(isLossy(put("a", 1, 0, 1), get("b", null, 2, 3), get("b", 1L, 4, 5)))
                    .isFalse();
        }

        @Test
        void olderValue_isFound() {
            assertThat(isLossy(put("a", 1, 0, 1), put("a", 2, 2, 3), get("b", 1L, 4, 5)))
                    .isFalse();
        }
    }

    @Nested
    class Random8 {
        private static final int THREADS = 8;
        private static final List<Action> ACTIONS = List.of(Action.values());
        private static final int OPERATIONS = 300;
        private static final int ONE_UNKNOWN_OF = 100;

        /** Random calls of a register that is right, with moments of effect between their beginnings and ends. */
        private List<Operation> history(Random random, boolean losing) {
            long[] free = new long[THREADS];
            List<Operation> history = new ArrayList<>();
            Long state = null;
            for (int i = 1; i <= OPERATIONS; i++) {
                int thread = random.nextInt(THREADS);
                long effect = i * 10L;
                long start = Math.max(free[thread], effect - random.nextInt(60));
                if (start >= effect) {
                    continue;
                }
                long end = effect + random.nextInt(60);
                free[thread] = end + 1;
                Action action = ACTIONS.get(random.nextInt(ACTIONS.size()));
                Long expected =
                        action == Action.REPLACE_EXPECTED ? (random.nextBoolean() ? state : Long.valueOf(1)) : null;
                Operation call = new Operation(
                        "p-" + thread, action, Histories.KEY, i * 1000L, expected, Outcome.OK, null, start, end, "");
                if (random.nextInt(ONE_UNKNOWN_OF) == 0) {
                    if (random.nextBoolean()) {
                        state = action.on(state, call).state();
                    }
                    history.add(with(Outcome.UNKNOWN, call));
                    continue;
                }
                if (losing && random.nextInt(20) == 0) {
                    state = null;
                }
                Action.Step step = action.on(state, call);
                state = step.state();
                history.add(withResult(step.result(), call));
            }
            return history;
        }

        @ParameterizedTest
        @EnumSource(Model.class)
        void historyOfARegister_isLinearizable(Model model) {
            for (long seed = 0; seed < 10; seed++) {
                List<Operation> history = history(new Random(seed), model == Model.LOSSY);

                assertThat(new Linearizability(model).check(history))
                        .as("seed %d", seed)
                        .isEmpty();
            }
        }

        @ParameterizedTest
        @EnumSource(Model.class)
        void readOfAValueThatWasReplacedLongAgo_isFound(Model model) {
            for (long seed = 0; seed < 10; seed++) {
                List<Operation> history = history(new Random(seed), model == Model.LOSSY);
                Operation early = history.stream()
                        .filter(operation -> operation.action() == Action.PUT && operation.outcome() == Outcome.OK)
                        .findFirst()
                        .orElseThrow();
                long end = OPERATIONS * 20L;
                history.add(put("late", 1, end, end + 1));
                history.add(get("late", early.argument(), end + 2, end + 3));

                assertThat(new Linearizability(model).check(history))
                        .as("seed %d", seed)
                        .extracting(Finding::verdict)
                        .containsExactly(Verdict.NOT_LINEARIZABLE);
            }
        }
    }

    @Test
    void finding_showsWhatDoesNotFit() {
        List<Finding> findings =
                new Linearizability(Model.STRICT).check(List.of(put("a-1", 1, 0, 1), get("b-2", 7L, 2, 3)));

        assertThat(findings)
                .singleElement()
                .asString()
                .contains("k is NOT_LINEARIZABLE", "b-2 GET(k) -> 7", "a-1 PUT(k, 1)");
    }

    @Test
    void searchBeyondItsBound_isGivenUp() {
        List<Operation> history = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            history.add(with(Outcome.UNKNOWN, put("a", i, 0, 1)));
        }
        history.add(get("b", 99L, 2, 3));

        assertThat(new Linearizability(Model.STRICT, 1_000).check(history))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.TOO_HARD);
        assertThat(new Linearizability(Model.STRICT).check(history))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.NOT_LINEARIZABLE);
    }
}
