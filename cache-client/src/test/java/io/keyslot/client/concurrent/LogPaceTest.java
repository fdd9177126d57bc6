// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogPaceTest {
    private final ManualTicker ticker = new ManualTicker();
    private final LogPace pace = new LogPace(ticker);

    @Test
    void sameSubjectWithinAMinute_isNotLoggedAgain() {
        assertThat(pace.permits("refused")).isTrue();
        ticker.advance(Duration.ofSeconds(59));
        assertThat(pace.permits("refused")).isFalse();
        assertThat(pace.permits("reset")).isTrue();
        ticker.advance(Duration.ofSeconds(1));
        assertThat(pace.permits("refused")).isTrue();
    }

    @Test
    void beyondTheBound_theOldestSubjectIsForgotten() {
        for (int i = 0; i <= LogPace.MOST_SUBJECTS; i++) {
            assertThat(pace.permits("reason " + i)).isTrue();
        }

        assertThat(pace.permits("reason " + LogPace.MOST_SUBJECTS)).isFalse();
        assertThat(pace.permits("reason 0")).isTrue();
    }
}
