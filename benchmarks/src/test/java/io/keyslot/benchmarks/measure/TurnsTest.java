// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();

    @Test
    void take_countsTheCallsOfATurn_andWhatTheyTook() {
        try (Turns turns = new Turns(List.of(this::callOfAMilli), List.of(), now::get)) {
            Turns.Cost cost = turns.take(Duration.ofMillis(12));

            // It looks at the clock after eight calls.
            assertThat(calls).hasValue(16);
            assertThat(cost.perSecond()).isEqualTo(1_000);
            assertThat(cost.clientMicros()).isNotNegative();
            assertThat(cost.serverMicros()).isZero();
        }
    }

    @Test
    void take_letsAllThreadsCall() {
        try (Turns turns = new Turns(List.of(this::callOfAMilli, this::callOfAMilli), List.of(), now::get)) {
            turns.take(Duration.ZERO);

            assertThat(calls).hasValue(16);
        }
    }

    private void callOfAMilli() {
        calls.incrementAndGet();
        now.addAndGet(1_000_000);
    }
}
