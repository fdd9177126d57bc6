// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    @Test
    void defaults_areTheDocumentedOnes() {
        assertThat(Deadlines.defaults())
                .isEqualTo(new Deadlines(Duration.ofMillis(500), Duration.ofMillis(200), Duration.ofSeconds(2)));
    }

    @Test
    void everyDeadline_canBeChangedAlone() {
        Deadlines deadlines =
                Deadlines.defaults().withCall(HOUR).withCommand(HOUR).withConnect(MILLISECOND);

        assertThat(deadlines).isEqualTo(new Deadlines(HOUR, HOUR, MILLISECOND));
    }

    @Test
    void impossibleDeadlines_areAllNamedAtOnce() {
        assertThatThrownBy(() -> new Deadlines(HOUR.plusNanos(1), Duration.ZERO, Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Deadlines: call is PT1H0.000000001S, must be from 1 ms to 1 h;"
                        + " command is PT0S, must be from 1 ms to 1 h;"
                        + " connect is PT-0.001S, must be from 1 ms to 1 h");
    }

    @Test
    void commandLongerThanTheCall_isRejected() {
        assertThatThrownBy(() -> Deadlines.defaults().withCall(MILLISECOND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Deadlines: command is PT0.2S, must not be longer than call (PT0.001S)");
    }
}
