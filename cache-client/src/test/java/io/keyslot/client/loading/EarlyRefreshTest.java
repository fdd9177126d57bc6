// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.client.loading.ReadPolicy.EarlyRefresh;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** XFetch: with a load time of Δ, a read at t before the expiry is due with the probability exp(-t/Δ). */
class EarlyRefreshTest {
    private static final long SEED = 20260711;
    private static final int READS = 20_000;
    private static final long LOAD_MILLIS = 200;

    private final EarlyRefresh early = new EarlyRefresh(new Random(SEED));

    private double shareDue(long millisLeft) {
        int due = 0;
        for (int i = 0; i < READS; i++) {
            due += early.isDue(millisLeft) ? 1 : 0;
        }
        return due / (double) READS;
    }

    private void loadTook(long millis) {
        early.loadTook(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void share_fallsWithTheTimeThatIsLeft() {
        loadTook(LOAD_MILLIS);
        for (long left : new long[] {0, 50, 200, 400, 1_000}) {
            assertThat(shareDue(left))
                    .as("%d ms left, seed %d", left, SEED)
                    .isCloseTo(Math.exp(-left / (double) LOAD_MILLIS), within(0.02));
        }
    }

    @Test
    void readLongBeforeTheExpiry_isAsGoodAsNeverDue() {
        loadTook(LOAD_MILLIS);
        assertThat(shareDue(Duration.ofMinutes(1).toMillis()))
                .as("seed %d", SEED)
                .isZero();
    }

    @Test
    void beforeTheFirstLoad_nothingIsDueUntilTheExpiry() {
        assertThat(shareDue(1)).isZero();
    }

    @Test
    void average_followsTheLoads() {
        loadTook(1_000);
        for (int i = 0; i < 100; i++) {
            loadTook(LOAD_MILLIS);
        }
        assertThat(shareDue(200)).as("seed %d", SEED).isCloseTo(Math.exp(-1), within(0.02));
    }

    @Test
    void oneSlowLoad_isAnEighthOfTheAverage() {
        loadTook(200);
        loadTook(1_000);
        assertThat(shareDue(300)).as("seed %d", SEED).isCloseTo(Math.exp(-1), within(0.02));
    }
}
