// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import static io.keyslot.history.Histories.get;
import static io.keyslot.history.Histories.put;
import static io.keyslot.history.Histories.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.history.Linearizability.Lasting;
import io.keyslot.history.Linearizability.Model;
import io.keyslot.history.Linearizability.Sealing;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A register whose values end by themselves, 100 ms after they were created or read, and not later for an update. */
class HeldTest {
    private static final Lasting LASTING = event -> event == Lasting.Event.UPDATED ? Lasting.AS_BEFORE : ms(100);

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static boolean isLinearizable(Operation... history) {
        return new Linearizability(Model.STRICT, Sealing.NEVER, LASTING)
                .check(List.of(history))
                .isEmpty();
    }

    @Test
    void value_isThereUntilItsTimeIsOver() {
        Operation put = put("a", 1, 0, 1);

        assertThat(isLinearizable(put, get("b", 1L, ms(90), ms(90) + 1))).isTrue();
        assertThat(isLinearizable(put, get("b", null, ms(90), ms(90) + 1))).isFalse();
        assertThat(isLinearizable(put, get("b", 1L, ms(110), ms(110) + 1))).isFalse();
        assertThat(isLinearizable(put, get("b", null, ms(110), ms(110) + 1))).isTrue();
    }

    @Test
    void valueOfALongCall_mayEndAnyTimeInBetween() {
        Operation put = put("a", 1, 0, ms(50));

        assertThat(isLinearizable(put, get("b", 1L, ms(140), ms(141)))).isTrue();
        assertThat(isLinearizable(put, get("b", null, ms(110), ms(111)))).isTrue();
        assertThat(isLinearizable(put, get("b", 1L, ms(160), ms(161)))).isFalse();
    }

    @Test
    void update_doesNotProlongIt_andARead_does() {
        Operation put = put("a", 1, 0, 1);
        Operation update = put("a", 2, ms(60), ms(60) + 1);
        Operation read = get("a", 1L, ms(60), ms(60) + 1);

        assertThat(isLinearizable(put, update, get("b", 2L, ms(120), ms(120) + 1)))
                .isFalse();
        assertThat(isLinearizable(put, read, get("b", 1L, ms(120), ms(120) + 1)))
                .isTrue();
        assertThat(isLinearizable(put, read, get("b", null, ms(120), ms(120) + 1)))
                .isFalse();
    }

    @Test
    void writeOfUnknownOutcome_mayBeDoneLate() {
        Operation put = with(Outcome.UNKNOWN, put("a", 1, 0, 1));

        assertThat(isLinearizable(put, get("b", 1L, ms(500), ms(501)))).isTrue();
    }
}
