// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FreshnessTest {
    private static final long UNTIL = 1_780_000_000_123L;

    @Test
    void endOfTheFreshness_isItself() {
        assertThat(Freshness.of(0)).isEqualTo(new Freshness(0, 0));
        assertThat(Freshness.of(UNTIL)).isEqualTo(new Freshness(UNTIL, 0));
    }

    @Test
    void claim_keepsBoth_andLastsASecondLongerAtMost() {
        long seed = 20260713;
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            long until = 1 + random.nextLong(UNTIL * 4);
            long claimedUntil = until + random.nextLong(Duration.ofDays(12).toMillis());
            long stored = Freshness.claimed(until, claimedUntil);

            assertThat(stored).as("seed %d", seed).isNegative();
            assertThat(Freshness.of(stored).until()).as("seed %d", seed).isEqualTo(until);
            assertThat(Freshness.of(stored).claimedUntil())
                    .as("seed %d", seed)
                    .isBetween(claimedUntil, claimedUntil + 999);
        }
    }

    @Test
    void claimOnWhatHasBeenStaleForLong_isOver() {
        long claimedUntil = UNTIL + Duration.ofDays(30).toMillis();
        Freshness read = Freshness.of(Freshness.claimed(UNTIL, claimedUntil));

        assertThat(read.until()).isEqualTo(UNTIL);
        assertThat(read.claimedUntil())
                .isLessThan(claimedUntil - Duration.ofDays(10).toMillis());
    }

    @Test
    void claimThatEndsBeforeTheFreshness_isNone() {
        assertThat(Freshness.of(Freshness.claimed(UNTIL, UNTIL - 1))).isEqualTo(new Freshness(UNTIL, UNTIL));
    }
}
