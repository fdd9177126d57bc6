// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UpToThreeRunsTest {
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void runInTime_isTheLast() throws Exception {
        UpToThreeRuns.of(runs::incrementAndGet, number -> {});

        assertThat(runs).hasValue(1);
    }

    @Test
    void lateRuns_areForgivenIfTheThirdIsInTime() {
        assertThatCode(() -> UpToThreeRuns.of(runs::incrementAndGet, number -> assertInTime(number >= 3)))
                .doesNotThrowAnyException();
        assertThat(runs).hasValue(3);
    }

    @Test
    void threeLateRuns_areAFailureThatHasAll() {
        assertThatThrownBy(() -> UpToThreeRuns.of(runs::incrementAndGet, number -> assertInTime(false)))
                .isInstanceOf(AssertionError.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));
        assertThat(runs).hasValue(3);
    }

    @Test
    void failureOfARun_isThatOfTheTestAtOnce() {
        AssertionError wrong = new AssertionError("stale");

        assertThatThrownBy(() -> UpToThreeRuns.of(
                        () -> {
                            if (runs.incrementAndGet() == 2) {
                                throw wrong;
                            }
                            return runs.get();
                        },
                        number -> assertInTime(false)))
                .isSameAs(wrong);
        assertThat(runs).hasValue(2);
    }

    private static void assertInTime(boolean isInTime) {
        assertThat(isInTime).as("in time").isTrue();
    }
}
