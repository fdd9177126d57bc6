// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.TrafficCommand.Counters;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CounterRatesTest {
    private static final Counters BEFORE = new Counters(1_000, 100, 50, 0, 7);

    @Test
    void rates_areOfASecond() {
        CounterRates rates = CounterRates.between(BEFORE, new Counters(1_200, 130, 60, 4, 7), Duration.ofSeconds(2))
                .orElseThrow();

        assertThat(rates).isEqualTo(new CounterRates(100, 15, 5, 2, 0));
        assertThat(rates.hitRatio()).contains(0.75);
    }

    @Test
    void serverThatHasBegunAnew_hasNoRates() {
        assertThat(CounterRates.between(BEFORE, new Counters(5, 0, 0, 0, 0), Duration.ofSeconds(2)))
                .isEmpty();
        assertThat(CounterRates.between(BEFORE, BEFORE, Duration.ZERO)).isEmpty();
    }

    @Test
    void withoutLookups_thereIsNoRatio() {
        assertThat(CounterRates.between(BEFORE, BEFORE, Duration.ofSeconds(1))
                        .orElseThrow()
                        .hitRatio())
                .isEmpty();
    }
}
