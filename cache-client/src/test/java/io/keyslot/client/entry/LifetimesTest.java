// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.entry.Answer.Kind;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LifetimesTest {
    private static final LoadingOptions DEFAULTS = LoadingOptions.defaults();
    private static final Expiry SECOND = Expiry.afterMillis(1_000);
    private static final long SEED = 20260714;

    private final ManualTicker ticker = new ManualTicker();

    private Lifetimes lifetimes(LoadingOptions options) {
        return new Lifetimes(options, ticker, new Random(SEED));
    }

    @Nested
    class Tracking {
        @Test
        void withoutOptionsThatNeedIt_entriesAreNotTimed() {
            Lifetimes plain = lifetimes(DEFAULTS);
            assertThat(plain.areTracked()).isFalse();
            assertThat(plain.freshUntil(SECOND)).isZero();
            assertThat(plain.kept(SECOND)).isEqualTo(SECOND);
        }

        @Test
        void entriesAreKeptForTheLongerWindow() {
            Lifetimes windows = lifetimes(
                    DEFAULTS.withStaleWhileRevalidate(Duration.ofSeconds(3)).withStaleIfError(Duration.ofSeconds(5)));
            assertThat(windows.freshUntil(SECOND)).isEqualTo(ticker.epochMillis() + 1_000);
            assertThat(windows.kept(SECOND)).isEqualTo(Expiry.afterMillis(6_000));
        }

        @Test
        void refreshAhead_keepsNothingLonger() {
            Lifetimes ahead = lifetimes(DEFAULTS.withRefreshAhead(true));
            assertThat(ahead.areTracked()).isTrue();
            assertThat(ahead.kept(SECOND)).isEqualTo(SECOND);
        }

        @Test
        void entryThatStaysForEver_isFreshForEver() {
            Lifetimes ahead = lifetimes(DEFAULTS.withStaleIfError(Duration.ofSeconds(5)));
            assertThat(ahead.freshUntil(Expiry.NEVER)).isZero();
            assertThat(ahead.kept(Expiry.NEVER)).isEqualTo(Expiry.NEVER);
        }

        @Test
        void changeThatLeavesTheExpiry_leavesTheEndOfTheFreshness() {
            Lifetimes ahead = lifetimes(DEFAULTS.withStaleIfError(Duration.ofSeconds(5)));
            Answer<String> before = new Answer<>(Kind.FRESH, "v", 7, 1_234_567, 0, false, null);
            assertThat(ahead.freshUntil(Expiry.UNCHANGED, before)).isEqualTo(1_234_567);
            assertThat(ahead.freshUntil(SECOND, before)).isEqualTo(ticker.epochMillis() + 1_000);
        }
    }

    @Nested
    class Varied {
        @Test
        void life_isShorterByATenthAtMost_andNeverLonger() {
            Lifetimes lifetimes = lifetimes(DEFAULTS);
            long least = Long.MAX_VALUE;
            long most = 0;
            for (int i = 0; i < 10_000; i++) {
                long millis = lifetimes.varied(SECOND).millis();
                least = Math.min(least, millis);
                most = Math.max(most, millis);
            }
            assertThat(least).as("seed %d", SEED).isEqualTo(900);
            assertThat(most).as("seed %d", SEED).isEqualTo(1_000);
        }

        @Test
        void withoutJitter_andWithoutAnEnd_nothingVaries() {
            assertThat(lifetimes(DEFAULTS.withJitter(0)).varied(SECOND)).isEqualTo(SECOND);
            assertThat(lifetimes(DEFAULTS).varied(Expiry.NEVER)).isEqualTo(Expiry.NEVER);
        }

        @Test
        void shortestLife_isNotNone() {
            assertThat(lifetimes(DEFAULTS.withJitter(0.5))
                            .varied(Expiry.afterMillis(1))
                            .millis())
                    .isEqualTo(1);
        }
    }
}
