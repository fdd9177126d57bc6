// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.history.Action;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InvalidationTest {
    private static final List<Operation> PUT_AND_REMOVED =
            List.of(ok("a-0", Action.PUT, 1L, null, 10), ok("a-1", Action.REMOVE, null, true, 20));

    private static final Heard PUT = heard("a", null, 1L, 12);
    private static final Heard REMOVED = heard("a", 1L, null, 22);

    /** From the start to five later. */
    private static Operation ok(
            String caller, Action action, @Nullable Long argument, @Nullable Object result, long start) {
        return new Operation(caller, action, "k", argument, null, Outcome.OK, result, start, start + 5, "");
    }

    private static Operation without(Outcome outcome, Action action, @Nullable Long argument) {
        return new Operation("a-0", action, "k", argument, null, outcome, null, 10, 15, "");
    }

    private static Heard heard(String process, @Nullable Long before, @Nullable Long after, long at) {
        return new Heard(process, "k", before, after, at);
    }

    @Test
    void changesThatWereHeardOnceInTime_areRight() {
        assertThat(Hearing.check(PUT_AND_REMOVED, List.of(PUT, REMOVED))).isEmpty();
    }

    @Test
    void changeThatWasNotHeard_isFound() {
        assertThat(Hearing.check(PUT_AND_REMOVED, List.of(PUT)))
                .hasSize(1)
                .first()
                .asString()
                .contains("REMOVE");
    }

    @Test
    void changeThatWasHeardTwice_isFound() {
        assertThat(Hearing.check(PUT_AND_REMOVED, List.of(PUT, PUT, REMOVED))).hasSize(1);
    }

    @Test
    void changeThatWasHeardAfterItReturned_isFound() {
        assertThat(Hearing.check(PUT_AND_REMOVED, List.of(heard("a", null, 1L, 16), REMOVED)))
                .isNotEmpty();
    }

    @Test
    void changeThatAnotherProcessHeard_isFound() {
        assertThat(Hearing.check(PUT_AND_REMOVED, List.of(heard("b", null, 1L, 12), REMOVED)))
                .isNotEmpty();
    }

    @Test
    void changeThatWasNotDone_isFoundIfItWasHeard() {
        List<Operation> failed = List.of(without(Outcome.FAILED, Action.PUT, 1L));
        List<Operation> refused = List.of(ok("a-0", Action.PUT_IF_ABSENT, 1L, false, 10));

        assertThat(Hearing.check(failed, List.of(PUT))).hasSize(1);
        assertThat(Hearing.check(refused, List.of(PUT))).hasSize(1);
    }

    @Test
    void changeOfUnknownOutcome_mayBeHeardOnceOrNot() {
        List<Operation> unknown = List.of(without(Outcome.UNKNOWN, Action.INCREMENT, 1L));

        assertThat(Hearing.check(unknown, List.of())).isEmpty();
        assertThat(Hearing.check(unknown, List.of(PUT))).isEmpty();
        assertThat(Hearing.check(unknown, List.of(PUT, PUT))).hasSize(1);
    }

    @Test
    void oldValueThatIsNotThatOfTheAnswer_isFound() {
        List<Operation> history = List.of(ok("a-0", Action.GET_AND_PUT, 2L, 1L, 10));

        assertThat(Hearing.check(history, List.of(heard("a", 3L, 2L, 12)))).isNotEmpty();
    }

    @Test
    void changeThatIsHeardBeforeTheOneItReplaced_isFound() {
        List<Operation> atOnce = List.of(ok("a-0", Action.PUT, 1L, null, 10), ok("a-1", Action.PUT, 2L, null, 10));

        assertThat(Hearing.check(atOnce, List.of(PUT, heard("a", 1L, 2L, 13)))).isEmpty();
        assertThat(Hearing.check(atOnce, List.of(heard("a", 1L, 2L, 12), PUT))).hasSize(1);
    }

    @Test
    void valueThatTwoProcessesReplaced_isFound() {
        List<Operation> both = List.of(ok("a-0", Action.PUT, 2L, null, 10), ok("b-0", Action.PUT, 3L, null, 10));

        assertThat(Hearing.check(both, List.of(heard("a", 1L, 2L, 12), heard("b", 1L, 3L, 13))))
                .hasSize(1);
    }
}
