// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallBudgetTest {
    private static final Duration BUDGET = Duration.ofMillis(250);

    private final ManualTicker ticker = new ManualTicker();
    private final CallBudget budget = new CallBudget("get", ticker, BUDGET);

    private Duration left() {
        return Duration.ofNanos(budget.spend(deadline -> deadline.remainingNanos()));
    }

    @Test
    void timeBetweenWaits_isNotCounted() {
        ticker.advance(Duration.ofMinutes(1));

        assertThat(left()).isEqualTo(BUDGET);
    }

    @Test
    void waits_areTakenOffTogether() {
        String answer = budget.spend(deadline -> {
            ticker.advance(Duration.ofMillis(100));
            return "answer";
        });
        ticker.advance(Duration.ofMinutes(1));
        budget.spend(deadline -> {
            ticker.advance(Duration.ofMillis(50));
            return answer;
        });

        assertThat(answer).isEqualTo("answer");
        assertThat(left()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void waitThatFails_isTakenOff() {
        assertThatThrownBy(() -> budget.spend(deadline -> {
                    ticker.advance(BUDGET);
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");

        assertThat(left()).isZero();
    }

    @Test
    void spentBudget_givesADeadlineThatIsOver() {
        budget.spend(deadline -> {
            ticker.advance(BUDGET.plusMillis(50));
            return true;
        });

        boolean over = budget.spend(deadline -> deadline.isOver());
        assertThat(over).isTrue();
        assertThat(left()).isEqualTo(Duration.ofMillis(-50));
    }

    @Test
    void waitForAnotherCall_takesOffWhatThatOneWaitedForThePartition() {
        budget.spendWithAnother(Duration.ofMillis(400), Duration.ofMillis(100));

        assertThat(left()).isEqualTo(BUDGET.minusMillis(100));
        assertThat(budget.spent()).isZero();
        assertThat(budget.waited()).isEqualTo(Duration.ofMillis(400));
    }

    @Test
    void waitForTheEndOfAnotherCall_takesOffNoMoreThanItself() {
        budget.spendWithAnother(Duration.ofMillis(10), Duration.ofMillis(100));

        assertThat(left()).isEqualTo(BUDGET.minusMillis(10));
    }
}
