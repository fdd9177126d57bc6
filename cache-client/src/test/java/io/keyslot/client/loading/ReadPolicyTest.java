// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.Answer.Kind;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadPolicyTest {
    private static final LoadingOptions DEFAULTS = LoadingOptions.defaults();
    private static final long SEED = 20260714;

    private final ManualTicker ticker = new ManualTicker();
    private final ReadPolicy policy =
            policy(DEFAULTS.withStaleWhileRevalidate(Duration.ofSeconds(1)).withStaleIfError(Duration.ofSeconds(10)));

    @Test
    void windows_endOnTheirOwn() {
        assertThat(policy.isServedWhileLoading(stale(999, 0))).isTrue();
        assertThat(policy.isServedWhileLoading(stale(1_000, 0))).isFalse();
        assertThat(policy.isServedOnError(stale(9_999, 0))).isTrue();
        assertThat(policy.isServedOnError(stale(10_000, 0))).isFalse();
    }

    @Test
    void claim_doesNotMakeThemLonger() {
        long claimedUntil = ticker.epochMillis() + 5_000;
        assertThat(policy.isServedWhileLoading(stale(999, claimedUntil))).isTrue();
        assertThat(policy.isServedWhileLoading(stale(1_000, claimedUntil))).isFalse();
    }

    @Test
    void nothingButStaleEntries_isServed() {
        assertThat(policy.isServedOnError(Answer.without(Kind.ABSENT))).isFalse();
        assertThat(policy(DEFAULTS).isServedOnError(stale(1, 0))).isFalse();
    }

    @Test
    void claim_endsWithItsTime() {
        assertThat(policy.isClaimed(stale(1, 0))).isFalse();
        assertThat(policy.isClaimed(stale(1, ticker.epochMillis() + 1))).isTrue();
        assertThat(policy.isClaimed(stale(1, ticker.epochMillis()))).isFalse();
    }

    @Test
    void slowLoad_isBegunEarly_ofEntriesThatExpire() {
        ReadPolicy ahead = policy(DEFAULTS.withRefreshAhead(true));
        Answer<String> nearlyOver = new Answer<>(Kind.FRESH, "v", 7, ticker.epochMillis() + 1, 0, false, null);
        Answer<String> forEver = new Answer<>(Kind.FRESH, "v", 7, 0, 0, false, null);
        ahead.loadTook(Duration.ofHours(1).toNanos());
        assertThat(ahead.isDueEarly(nearlyOver)).isTrue();
        assertThat(ahead.isDueEarly(forEver)).isFalse();
        assertThat(policy(DEFAULTS).isDueEarly(nearlyOver)).isFalse();
    }

    private ReadPolicy policy(LoadingOptions options) {
        return new ReadPolicy(options, true, MissingPartitionPolicy.MISS, ticker, new Random(SEED));
    }

    private Answer<String> stale(long millisAgo, long claimedUntil) {
        return new Answer<>(Kind.STALE, "v", 7, ticker.epochMillis() - millisAgo, claimedUntil, false, null);
    }
}
