// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriteBehindOptionsTest {
    private static final WriteBehindOptions DEFAULTS = WriteBehindOptions.defaults();
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void defaults_areTheDocumentedOnes() {
        assertThat(DEFAULTS)
                .isEqualTo(new WriteBehindOptions(Duration.ofSeconds(1), 10_000, 100, 20, Duration.ofSeconds(10)));
    }

    @Test
    void everyOption_canBeChangedAlone() {
        WriteBehindOptions options = DEFAULTS.withDelay(Duration.ZERO)
                .withQueue(1)
                .withBatch(2)
                .withAttempts(3)
                .withCloseWait(HOUR);

        assertThat(options).isEqualTo(new WriteBehindOptions(Duration.ZERO, 1, 2, 3, HOUR));
    }

    @Test
    void largestOptions_areAccepted() {
        assertThat(new WriteBehindOptions(HOUR, 1_000_000, 1_000_000, 1_000_000, HOUR).queue())
                .isEqualTo(1_000_000);
    }

    @Test
    void impossibleOptions_areAllNamedAtOnce() {
        assertThatThrownBy(() -> new WriteBehindOptions(HOUR.plusNanos(1), 0, -1, 1_000_001, Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Write-behind options: delay is PT1H0.000000001S, must be from 0 to 1 h;"
                        + " closeWait is PT-0.000000001S, must be from 0 to 1 h;"
                        + " queue is 0, must be from 1 to 1000000;"
                        + " batch is -1, must be from 1 to 1000000;"
                        + " attempts is 1000001, must be from 1 to 1000000");
    }
}
