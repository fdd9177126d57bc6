// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import static io.keyslot.history.Histories.get;
import static io.keyslot.history.Histories.ok;
import static io.keyslot.history.Histories.put;
import static io.keyslot.history.Histories.replace;
import static io.keyslot.history.Histories.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PossibleReadsTest {
    private static boolean isPossible(Operation... history) {
        return new PossibleReads(List.of(history)).check().isEmpty();
    }

    private static Operation readThrough(@Nullable Long result, long start, long end) {
        return ok("r", Action.READ_THROUGH, null, result, start, end);
    }

    @Test
    void value_mustHaveBeenStoredByThen() {
        assertThat(isPossible(put("a", 1, 0, 9), get("b", 1L, 2, 3))).isTrue();
        assertThat(isPossible(put("a", 1, 5, 9), get("b", 1L, 2, 3))).isFalse();
        assertThat(isPossible(get("b", 1L, 2, 3))).isFalse();
    }

    @Test
    void twoReads_needNotAgreeOnWhichOfTwoWritesIsNewer() {
        Operation one = put("a", 1, 0, 99);
        Operation two = put("b", 2, 0, 99);

        assertThat(isPossible(one, two, get("c", 1L, 1, 2), get("c", 2L, 3, 4), get("c", 1L, 5, 6)))
                .isTrue();
    }

    @Test
    void valueOlderThanAnAcknowledgedWrite_isImpossible() {
        assertThat(isPossible(put("a", 1, 0, 1), put("a", 2, 2, 3), get("b", 1L, 4, 5)))
                .isFalse();
        assertThat(isPossible(put("a", 1, 0, 1), put("a", 2, 2, 4), get("b", 1L, 3, 5)))
                .isTrue();
        assertThat(isPossible(put("a", 1, 0, 2), put("b", 2, 1, 3), get("b", 1L, 4, 5)))
                .isTrue();
    }

    @Test
    void valueOlderThanAWriteOfUnknownOutcome_isPossible() {
        assertThat(isPossible(put("a", 1, 0, 1), with(Outcome.UNKNOWN, put("a", 2, 2, 3)), get("b", 1L, 4, 5)))
                .isTrue();
    }

    @Test
    void valueOfAWriteThatWasNotDone_isImpossible() {
        assertThat(isPossible(with(Outcome.FAILED, put("a", 1, 0, 1)), get("b", 1L, 2, 3)))
                .isFalse();
        assertThat(isPossible(replace("a", 7, 1, false, 0, 1), get("b", 1L, 2, 3)))
                .isFalse();
    }

    @Test
    void nothing_isImpossibleForWhatReadsThroughAfterAnAcknowledgedWrite() {
        assertThat(isPossible(put("a", 1, 0, 1), readThrough(null, 2, 3))).isFalse();
        assertThat(isPossible(put("a", 1, 0, 1), get("b", null, 2, 3))).isTrue();
        assertThat(isPossible(put("a", 1, 0, 2), readThrough(null, 1, 3))).isTrue();
        assertThat(isPossible(
                        put("a", 1, 0, 1),
                        with(Outcome.UNKNOWN, ok("a", Action.REMOVE, null, null, 2, 3)),
                        readThrough(null, 4, 5)))
                .isTrue();
    }

    @Test
    void containsKey_needsAValueThatMayBeThere() {
        Operation contains = ok("b", Action.CONTAINS, null, true, 4, 5);

        assertThat(isPossible(put("a", 1, 0, 1), contains)).isTrue();
        assertThat(isPossible(put("a", 1, 0, 1), ok("a", Action.REMOVE, null, true, 2, 3), contains))
                .isFalse();
    }
}
