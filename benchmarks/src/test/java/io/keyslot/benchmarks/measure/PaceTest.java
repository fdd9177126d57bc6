// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private long now = 1_000;
    private final Pace pace = new Pace(() -> now, nanos -> now += nanos);

    @Test
    void firstCall_beginsAfterTheOffset() {
        pace.begin(100, 30);

        assertThat(pace.await()).isEqualTo(1_030);
        assertThat(now).isEqualTo(1_030);
    }

    @Test
    void firstCall_hasNoBacklog() {
        pace.begin(100, 30);
        now += 500;

        assertThat(pace.await()).isEqualTo(1_530);
    }

    @Test
    void nextCall_beginsAnIntervalAfterTheLastOneBegan() {
        pace.begin(100, 0);
        pace.await();
        now += 40;

        assertThat(pace.await()).isEqualTo(1_100);
        assertThat(now).isEqualTo(1_100);
    }

    @Test
    void backlog_beginsAtOnceAndCountsFromWhenItWasToBegin() {
        pace.begin(100, 0);
        pace.await();
        now += 250;

        assertThat(pace.await()).isEqualTo(1_100);
        assertThat(pace.await()).isEqualTo(1_200);
        assertThat(now).isEqualTo(1_250);
        assertThat(pace.await()).isEqualTo(1_300);
        assertThat(now).isEqualTo(1_300);
    }

    @Test
    void withoutInterval_beginsAtOnce() {
        pace.begin(0, 0);
        now += 5;

        assertThat(pace.await()).isEqualTo(1_005);
    }
}
