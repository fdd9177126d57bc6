// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import static io.keyslot.history.Histories.get;
import static io.keyslot.history.Histories.ok;
import static io.keyslot.history.Histories.put;
import static io.keyslot.history.Histories.remove;
import static io.keyslot.history.Histories.replace;
import static io.keyslot.history.Histories.with;
import static io.keyslot.history.Histories.withResult;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.keyslot.history.Linearizability.Finding;
import io.keyslot.history.Linearizability.Lasting;
import io.keyslot.history.Linearizability.Model;
import io.keyslot.history.Linearizability.Sealing;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checks of histories: right ones pass, and each defect is found. */
class LinearizabilityTest {
    private static final Lasting LASTING = event -> event == Lasting.Event.UPDATED ? Lasting.AS_BEFORE : ms(100);

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static Operation unknown(Operation operation) {
        return with(Outcome.UNKNOWN, operation);
    }

    private static Operation failed(Operation operation) {
        return with(Outcome.FAILED, operation);
    }

    private static void check(boolean isRight, Linearizability linearizability, Operation... history) {
        assertThat(linearizability.check(List.of(history)).isEmpty())
                .as(List.of(history).toString())
                .isEqualTo(isRight);
    }

    private static void right(Operation... history) {
        check(true, new Linearizability(Model.STRICT), history);
    }

    private static void wrong(Operation... history) {
        check(false, new Linearizability(Model.STRICT), history);
    }

    @Test
    void readsAndWrites() {
        right(put("a", 1, 0, 1), get("b", 1L, 2, 3));
        wrong(put("a", 1, 0, 1), get("b", null, 2, 3));
        right(put("a", 1, 0, 9), get("b", 1L, 2, 3));
        right(put("a", 1, 0, 9), get("b", null, 2, 3));
        wrong(put("a", 1, 0, 9), get("b", 1L, 2, 3), get("c", null, 4, 5));
        Operation one = put("a", 1, 0, 9);
        Operation two = put("b", 2, 0, 9);
        wrong(one, two, get("c", 1L, 10, 11), get("d", 2L, 12, 13));
        right(one, two, get("c", 1L, 3, 4), get("d", 2L, 5, 6));
    }

    @Test
    void conditionalWrites() {
        Operation put = put("a", 1, 0, 1);
        Operation sum = ok("a", Action.INCREMENT, 1L, 2L, 2, 9);
        right(put, sum, ok("b", Action.INCREMENT, 1L, 3L, 2, 9));
        wrong(put, sum, ok("b", Action.INCREMENT, 1L, 2L, 2, 9));
        Operation won = ok("a", Action.PUT_IF_ABSENT, 1L, true, 0, 9);
        right(won, ok("b", Action.PUT_IF_ABSENT, 2L, false, 0, 9), get("c", 1L, 10, 11));
        wrong(won, ok("b", Action.PUT_IF_ABSENT, 2L, true, 0, 9));
        right(ok("a", Action.REPLACE, 1L, false, 0, 1), get("a", null, 2, 3));
        wrong(put, ok("a", Action.REPLACE, 2L, false, 2, 3));
        right(put, replace("a", 1, 2, true, 2, 3), get("b", 2L, 4, 5));
        wrong(put, replace("a", 5, 2, true, 2, 3));
        right(put, ok("a", Action.GET_AND_PUT, 2L, 1L, 2, 3));
        wrong(put, ok("a", Action.GET_AND_PUT, 2L, null, 2, 3));
        right(ok("a", Action.REMOVE, null, false, 0, 1));
        wrong(put, ok("a", Action.REMOVE, null, false, 2, 3));
    }

    @Test
    void writesThatFailedOrAreUnknown() {
        Operation put = put("a", 1, 0, 1);
        right(failed(put), get("b", null, 2, 3));
        wrong(failed(put), get("b", 1L, 2, 3));
        right(unknown(put), get("b", null, 2, 3), get("b", 1L, 4, 5));
        wrong(unknown(put), get("b", 1L, 2, 3), put("b", 2, 4, 5), get("b", 1L, 6, 7));
        wrong(get("b", 1L, 0, 1), unknown(put("a", 1, 2, 3)));
    }

    @Test
    void entriesThatMayBeLost() {
        Linearizability lossy = new Linearizability(Model.LOSSY);
        Operation put = put("a", 1, 0, 1);
        check(true, lossy, put, get("b", null, 2, 3));
        check(true, lossy, put, ok("b", Action.PUT_IF_ABSENT, 2L, true, 2, 3));
        check(false, lossy, put, get("b", null, 2, 3), get("b", 1L, 4, 5));
        check(false, lossy, put, put("a", 2, 2, 3), get("b", 1L, 4, 5));
    }

    /** Values end 100 ms after they were created or read, and not later for an update. */
    @Test
    void entriesThatExpire() {
        Linearizability held = new Linearizability(Model.STRICT, Sealing.NEVER, LASTING);
        Operation put = put("a", 1, 0, 1);
        check(true, held, put, get("b", 1L, ms(90), ms(91)));
        check(false, held, put, get("b", null, ms(90), ms(91)));
        check(false, held, put, get("b", 1L, ms(110), ms(111)));
        check(true, held, put, get("b", null, ms(110), ms(111)));
        Operation slow = put("a", 1, 0, ms(50));
        check(true, held, slow, get("b", 1L, ms(140), ms(141)));
        check(true, held, slow, get("b", null, ms(110), ms(111)));
        check(false, held, slow, get("b", 1L, ms(160), ms(161)));
        check(false, held, put, put("a", 2, ms(60), ms(61)), get("b", 2L, ms(120), ms(121)));
        Operation read = get("a", 1L, ms(60), ms(61));
        check(true, held, put, read, get("b", 1L, ms(120), ms(121)));
        check(false, held, put, read, get("b", null, ms(120), ms(121)));
        check(true, held, unknown(put), get("b", 1L, ms(500), ms(501)));
    }

    private static void possible(boolean isPossible, Operation... history) {
        assertThat(new PossibleReads(List.of(history)).check().isEmpty())
                .as(List.of(history).toString())
                .isEqualTo(isPossible);
    }

    @Test
    void possibleReads() {
        Operation put = put("a", 1, 0, 1);
        Operation one = put("a", 1, 0, 99);
        Operation two = put("b", 2, 0, 99);
        possible(true, one, get("b", 1L, 2, 3));
        possible(false, put("a", 1, 5, 9), get("b", 1L, 2, 3));
        possible(true, one, two, get("c", 1L, 1, 2), get("c", 2L, 3, 4), get("c", 1L, 5, 6));
        possible(false, put, put("a", 2, 2, 3), get("b", 1L, 4, 5));
        possible(true, put, put("a", 2, 2, 4), get("b", 1L, 3, 5));
        possible(true, put("a", 1, 0, 2), put("b", 2, 1, 3), get("b", 1L, 4, 5));
        possible(true, put, unknown(put("a", 2, 2, 3)), get("b", 1L, 4, 5));
        possible(false, failed(put), get("b", 1L, 2, 3));
        possible(false, replace("a", 7, 1, false, 0, 1), get("b", 1L, 2, 3));
        possible(true, put, get("b", null, 2, 3));
        Operation nothing = ok("r", Action.READ_THROUGH, null, null, 4, 5);
        possible(false, put, nothing);
        possible(true, put, unknown(ok("a", Action.REMOVE, null, null, 2, 3)), nothing);
        Operation contains = ok("b", Action.CONTAINS, null, true, 4, 5);
        possible(true, put, contains);
        possible(false, put, ok("a", Action.REMOVE, null, true, 2, 3), contains);
    }

    private static void stale(String finding, Operation... history) {
        assertThat(new Staleness().check(List.of(history)))
                .singleElement()
                .asString()
                .contains(finding);
    }

    @Test
    void staleReads() {
        Operation put = put("a-1", 1, 0, 1);
        stale("stale, after the acknowledged a-1 PUT(k, 2)", put, put("a-1", 2, 2, 3), get("b-1", 1L, 4, 5));
        stale("stale", unknown(put), put("a-1", 2, 2, 3), get("b-1", 1L, 4, 5));
        stale("the write of this value had not begun", put, get("b-1", 7L, 4, 5));
        stale("the write of this value had not begun", get("b-1", 1L, 0, 1), put("a-1", 1, 2, 3));
        stale("nothing, after the acknowledged", put, get("b-1", null, 2, 3));
        assertThat(new Staleness()
                        .check(List.of(
                                put,
                                unknown(put("a-1", 2, 2, 3)),
                                failed(put("a-1", 3, 4, 5)),
                                get("b-1", 1L, 6, 7),
                                get("b-1", 2L, 6, 7),
                                put("a-1", 4, 8, 19),
                                unknown(remove("a-1", 5, 9, 10)),
                                get("b-1", 1L, 12, 13),
                                get("b-1", null, 14, 15))))
                .isEmpty();
    }

    @Test
    void journaledWrites_mayBeSeenLateByOthersOnly() {
        Staleness staleness = new Staleness();
        staleness.exceptForOthersBetween("a", 2, 100);
        Operation old = put("a-1", 1, 0, 1);
        Operation journaled = put("a-1", 2, 3, 4);
        assertThat(staleness.check(List.of(old, journaled, get("b-1", 1L, 50, 51))))
                .isEmpty();
        assertThat(staleness.check(List.of(old, journaled, get("b-1", 1L, 101, 102))))
                .hasSize(1);
        assertThat(staleness.check(List.of(old, journaled, get("a-2", 1L, 50, 51))))
                .hasSize(1);
    }

    @Test
    void keysAreIndependent() {
        Operation other = new Operation("b", Action.GET, "other", null, null, Outcome.OK, 1L, 2, 3, "");
        assertThat(new Linearizability(Model.STRICT).check(List.of(put("a", 1, 0, 1), other)))
                .extracting(Finding::key, Finding::verdict)
                .containsExactly(tuple("other", Verdict.NOT_LINEARIZABLE));
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
                    history.add(unknown(call));
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
            history.add(unknown(put("a", i, 0, 1)));
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
