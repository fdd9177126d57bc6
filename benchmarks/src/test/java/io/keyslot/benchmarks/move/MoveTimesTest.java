// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.move.MoveTimes.OutboxEntry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoveTimesTest {
    @Test
    void percentiles_areThoseOfThePauses() {
        List<Duration> pauses = List.of(Duration.ofMillis(3), Duration.ofMillis(1), Duration.ofMillis(2));

        assertThat(MoveTimes.percentile(pauses, 0.5)).isEqualTo(2);
        assertThat(MoveTimes.percentile(pauses, 1)).isEqualTo(3);
        assertThat(MoveTimes.percentile(List.of(), 0.99)).isZero();
    }

    @Test
    void percentilesOfSlots_countAPauseForEachOfItsSlots() {
        OutboxEntry large = new OutboxEntry(99, Duration.ofMillis(1), Duration.ZERO);
        OutboxEntry small = new OutboxEntry(1, Duration.ofMillis(9), Duration.ZERO);

        assertThat(MoveTimes.percentileOfSlots(List.of(small, large), 0.99, OutboxEntry::writes))
                .isEqualTo(1);
        assertThat(MoveTimes.percentileOfSlots(List.of(small, large), 1, OutboxEntry::writes))
                .isEqualTo(9);
    }
}
