// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private final ManualTicker ticker = new ManualTicker();

    @Test
    void remainingTime_shrinksAsTheClockMovesOnEvenWhenItWrapsAround() {
        Deadline deadline = Deadline.after(ticker, Duration.ofMillis(250));
        assertThat(deadline.remainingNanos()).isEqualTo(250_000_000);
        ticker.advance(Duration.ofMillis(249));
        assertThat(deadline.isOver()).isFalse();
        ticker.advance(Duration.ofMillis(1));

        assertThat(ticker.nanos()).isNegative();
        assertThat(deadline.isOver()).isTrue();
        assertThat(deadline.remainingNanos()).isZero();
    }
}
