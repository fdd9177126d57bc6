// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import static io.keyslot.history.Histories.get;
import static io.keyslot.history.Histories.put;
import static io.keyslot.history.Histories.remove;
import static io.keyslot.history.Histories.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StalenessTest {
    private final Staleness staleness = new Staleness();

    private List<String> check(Operation... history) {
        return staleness.check(List.of(history));
    }

    @Test
    void readOfAnOlderWrite_isStale() {
        assertThat(check(put("a-1", 1, 0, 1), put("a-1", 2, 2, 3), get("b-1", 1L, 4, 5)))
                .singleElement()
                .asString()
                .startsWith("stale, after the acknowledged a-1 PUT(k, 2)")
                .contains("b-1 GET(k) -> 1");
    }

    @Test
    void readDuringAWrite_mayAnswerTheOlderValue() {
        assertThat(check(put("a-1", 1, 0, 1), put("a-1", 2, 2, 9), get("b-1", 1L, 4, 5)))
                .isEmpty();
    }

    @Test
    void writeThatWasNotAcknowledged_mayBeSeenOrNot() {
        Operation first = put("a-1", 1, 0, 1);
        Operation unknown = with(Outcome.UNKNOWN, put("a-1", 2, 2, 3));
        Operation failed = with(Outcome.FAILED, put("a-1", 3, 4, 5));

        assertThat(check(first, unknown, failed, get("b-1", 1L, 6, 7), get("b-1", 3L, 6, 7), get("b-1", 2L, 6, 7)))
                .isEmpty();
    }

    @Test
    void lateEffectOfATimedOutWrite_isStale() {
        Operation unknown = with(Outcome.UNKNOWN, put("a-1", 1, 0, 1));

        assertThat(check(unknown, put("a-1", 2, 2, 3), get("b-1", 1L, 4, 5))).hasSize(1);
    }

    @Test
    void readOfAValueThatNobodyWrote_isFound() {
        assertThat(check(put("a-1", 1, 0, 1), get("b-1", 7L, 4, 5)))
                .singleElement()
                .asString()
                .startsWith("nobody had begun to write this");
        assertThat(check(get("b-1", 1L, 0, 1), put("a-1", 1, 2, 3))).hasSize(1);
    }

    @Nested
    class Removals {
        @Test
        void nothing_isWrongAfterAWrite() {
            assertThat(check(put("a-1", 1, 0, 1), get("b-1", null, 2, 3)))
                    .singleElement()
                    .asString()
                    .startsWith("nothing, after the acknowledged");
        }

        @Test
        void nothing_isRightIfARemovalMayHaveHappened() {
            Operation removal = with(Outcome.UNKNOWN, remove("a-1", 2, 2, 3));

            assertThat(check(put("a-1", 1, 0, 1), removal, get("b-1", null, 4, 5)))
                    .isEmpty();
        }
    }

    @Test
    void itsWrites_mayBeSeenLateByOthersOnly() {
        staleness.exceptForOthersBetween("a", 2, 100);
        Operation old = put("a-1", 1, 0, 1);
        Operation journaled = put("a-1", 2, 3, 4);

        assertThat(check(old, journaled, get("b-1", 1L, 50, 51))).isEmpty();
        assertThat(check(old, journaled, get("b-1", 1L, 101, 102))).hasSize(1);
        assertThat(check(old, journaled, get("a-2", 1L, 50, 51))).hasSize(1);
    }
}
