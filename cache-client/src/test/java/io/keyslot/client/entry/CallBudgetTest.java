// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.routing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallBudgetTest {
    private final ManualTicker ticker = new ManualTicker();
    private final CallBudget budget = new CallBudget(ticker, Duration.ofMillis(250));

    private Duration remaining() {
        return Duration.ofNanos(budget.deadline().remainingNanos());
    }

    @Test
    void timeOfTheApplication_isNotCounted() {
        ticker.advance(Duration.ofMillis(50));

        String result = budget.whileApplicationRuns(() -> {
            ticker.advance(Duration.ofMinutes(1));
            return "done";
        });
        budget.run(() -> ticker.advance(Duration.ofMinutes(1)));

        assertThat(result).isEqualTo("done");
        assertThat(remaining()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void timeOfAnApplicationThatFails_isNotCounted() {
        assertThatThrownBy(() -> budget.run(() -> {
                    ticker.advance(Duration.ofMinutes(1));
                    throw new IllegalStateException("writer");
                }))
                .hasMessage("writer");

        assertThat(remaining()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void budgetThatIsUsedUp_staysUsedUp() {
        ticker.advance(Duration.ofMillis(300));

        budget.run(() -> {});

        assertThat(budget.deadline().isOver()).isTrue();
        assertThat(remaining()).isEqualTo(Duration.ofMillis(-50));
    }
}
