// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.Answer.Kind;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.ManualTicker;
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

    private Answer<String> stale(long millisAgo, long claimedUntil) {
        return new Answer<>(Kind.STALE, "v", 7, ticker.epochMillis() - millisAgo, claimedUntil, false, null);
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

    @Nested
    class Serving {
        private final Lifetimes lifetimes = lifetimes(
                DEFAULTS.withStaleWhileRevalidate(Duration.ofSeconds(1)).withStaleIfError(Duration.ofSeconds(10)));

        @Test
        void windows_endOnTheirOwn() {
            assertThat(lifetimes.isServedWhileLoading(stale(999, 0))).isTrue();
            assertThat(lifetimes.isServedWhileLoading(stale(1_000, 0))).isFalse();
            assertThat(lifetimes.isServedOnError(stale(9_999, 0))).isTrue();
            assertThat(lifetimes.isServedOnError(stale(10_000, 0))).isFalse();
        }

        @Test
        void claim_doesNotMakeThemLonger() {
            long claimedUntil = ticker.epochMillis() + 5_000;
            assertThat(lifetimes.isServedWhileLoading(stale(999, claimedUntil))).isTrue();
            assertThat(lifetimes.isServedWhileLoading(stale(1_000, claimedUntil)))
                    .isFalse();
        }

        @Test
        void nothingButStaleEntries_isServed() {
            assertThat(lifetimes.isServedOnError(Answer.without(Kind.ABSENT))).isFalse();
            assertThat(lifetimes(DEFAULTS).isServedOnError(stale(1, 0))).isFalse();
        }

        @Test
        void claim_endsWithItsTime() {
            assertThat(lifetimes.isClaimed(stale(1, 0))).isFalse();
            assertThat(lifetimes.isClaimed(stale(1, ticker.epochMillis() + 1))).isTrue();
            assertThat(lifetimes.isClaimed(stale(1, ticker.epochMillis()))).isFalse();
        }
    }

    @Test
    void millisLeft_isKnownOfTimedEntriesOnly() {
        Lifetimes lifetimes = lifetimes(DEFAULTS.withRefreshAhead(true));
        Answer<String> timed = new Answer<>(Kind.FRESH, "v", 7, ticker.epochMillis() + 50, 0, false, null);
        Answer<String> forEver = new Answer<>(Kind.FRESH, "v", 7, 0, 0, false, null);
        assertThat(lifetimes.millisLeft(timed)).isEqualTo(50);
        assertThat(lifetimes.millisLeft(stale(5, 0))).isZero();
        assertThat(lifetimes.millisLeft(forEver)).isEqualTo(-1);
    }
}
