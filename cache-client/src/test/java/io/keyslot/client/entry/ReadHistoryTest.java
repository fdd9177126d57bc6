// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissCause;
import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.entry.Answer.Kind;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReadHistoryTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:1");

    private final ManualTicker ticker = new ManualTicker();
    private final ReadHistory history = new ReadHistory(ticker);

    private MissCause missed() {
        return history.missed(KEY, Kind.ABSENT);
    }

    @Nested
    class Missed {
        @Test
        void unknownEntry_wasNeverLoaded() {
            assertThat(missed()).isEqualTo(MissCause.NEVER_LOADED);
            assertThat(missed()).isEqualTo(MissCause.NEVER_LOADED);
        }

        @Test
        void kindThatSaysWhy_isTheCause() {
            assertThat(history.missed(KEY, Kind.STALE)).isEqualTo(MissCause.EXPIRED);
            assertThat(history.missed(KEY, Kind.NEGATIVE)).isEqualTo(MissCause.NO_VALUE);
            assertThat(history.missed(KEY, Kind.OTHER_EPOCH)).isEqualTo(MissCause.OTHER_EPOCH);
            assertThat(history.missed(KEY, Kind.UNREADABLE)).isEqualTo(MissCause.UNDECODABLE);
            assertThat(history.missed(KEY, Kind.UNKNOWN)).isEqualTo(MissCause.PARTITION_MISSING);
        }

        @Test
        void causeThatPasses_isNotTheNextOne() {
            history.missed(KEY, Kind.UNKNOWN);
            assertThat(missed()).isEqualTo(MissCause.NEVER_LOADED);
            history.missed(KEY, Kind.NEGATIVE);
            assertThat(missed()).isEqualTo(MissCause.NEVER_LOADED);
        }

        @Test
        void causeThatStays_isTheNextOne() {
            history.missed(KEY, Kind.OTHER_EPOCH);
            assertThat(missed()).isEqualTo(MissCause.OTHER_EPOCH);
        }

        @Test
        void leasedEntry_isAsMuchAbsentAsAnother() {
            history.stored(KEY, Expiry.NEVER);
            assertThat(history.missed(KEY, Kind.LEASED)).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
        }

        @Test
        void storedEntry_expiresWhenItIsTime() {
            history.stored(KEY, Expiry.afterMillis(100));
            ticker.advance(Duration.ofMillis(99));
            assertThat(missed()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
            history.stored(KEY, Expiry.afterMillis(100));
            ticker.advance(Duration.ofMillis(100));
            assertThat(missed()).isEqualTo(MissCause.EXPIRED);
        }

        @Test
        void entryFoundAfterItsTime_wasStoredByAnotherProcess() {
            history.stored(KEY, Expiry.afterMillis(100));
            ticker.advance(Duration.ofMillis(200));
            history.found(KEY);
            assertThat(missed()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
        }

        @Test
        void entryThatWasFound_wasThere() {
            history.found(KEY);
            assertThat(missed()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
        }

        @Test
        void entryThatIsFoundAtThePlaceOfAnother_getsItNowAndThen() {
            EncodedKey other = atThePlaceOf(KEY);
            history.found(KEY);

            history.found(other);
            assertThat(history.missed(other, Kind.ABSENT)).isEqualTo(MissCause.NEVER_LOADED);
            history.missed(KEY, Kind.ABSENT);
            for (int i = 0; i < 64; i++) {
                ticker.advance(Duration.ofNanos(1 << 24));
                history.found(other);
            }
            assertThat(history.missed(other, Kind.ABSENT)).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
        }

        /** Notes of one take those of the other away, which is how places are told apart here. */
        private EncodedKey atThePlaceOf(EncodedKey key) {
            ReadHistory table = new ReadHistory(ticker);
            for (int i = 0; ; i++) {
                EncodedKey candidate = EncodedKey.of("order:" + i);
                table.missed(key, Kind.ABSENT);
                table.missed(candidate, Kind.ABSENT);
                if (table.lastMiss(key).isEmpty()) {
                    return candidate;
                }
            }
        }

        @Test
        void removedEntry_wasRemoved_untilItIsStoredAgain() {
            history.stored(KEY, Expiry.NEVER);
            history.removed(KEY);
            assertThat(missed()).isEqualTo(MissCause.REMOVED);
            assertThat(missed()).isEqualTo(MissCause.REMOVED);
            history.stored(KEY, Expiry.NEVER);
            assertThat(missed()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
        }
    }

    @Nested
    class ReadAll {
        private final EncodedKey other = EncodedKey.of("customer:2");

        @Test
        void answers_areNotedEachForItself() {
            history.stored(KEY, Expiry.NEVER);
            history.stored(other, Expiry.NEVER);
            history.readAll(
                    List.of(KEY, other),
                    List.of(Answer.without(Kind.ABSENT), Answer.fresh("value", 1)),
                    CacheTelemetry.NONE);

            assertThat(history.lastMiss(KEY))
                    .map(ReadHistory.Miss::cause)
                    .contains(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
            assertThat(history.lastMiss(other)).isEmpty();
        }

        @Test
        void entryThatIsFoundAfterAMiss_hasNoMissAnyMore() {
            missed();
            history.readAll(List.of(KEY), List.of(Answer.fresh("value", 1)), CacheTelemetry.NONE);
            assertThat(history.lastMiss(KEY)).isEmpty();
        }

        @Test
        void entryFoundAfterItsTime_wasStoredByAnotherProcess() {
            history.stored(KEY, Expiry.afterMillis(100));
            ticker.advance(Duration.ofMillis(99));
            history.readAll(List.of(KEY), List.of(Answer.fresh("value", 1)), CacheTelemetry.NONE);
            ticker.advance(Duration.ofMillis(1));
            assertThat(history.missed(KEY, Kind.ABSENT)).isEqualTo(MissCause.EXPIRED);

            history.stored(KEY, Expiry.afterMillis(100));
            ticker.advance(Duration.ofMillis(100));
            history.readAll(List.of(KEY), List.of(Answer.fresh("value", 1)), CacheTelemetry.NONE);
            assertThat(missed()).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
        }
    }

    @Nested
    class LastMiss {
        @Test
        void entryThatWasNotRead_hasNone() {
            assertThat(history.lastMiss(KEY)).isEmpty();
            history.stored(KEY, Expiry.NEVER);
            assertThat(history.lastMiss(KEY)).isEmpty();
            history.removed(KEY);
            assertThat(history.lastMiss(KEY)).isEmpty();
        }

        @Test
        void miss_isToldWithItsAge() {
            history.removed(KEY);
            missed();
            ticker.advance(Duration.ofSeconds(3));
            assertThat(history.lastMiss(KEY)).contains(new ReadHistory.Miss(MissCause.REMOVED, Duration.ofSeconds(3)));
        }

        @Test
        void writesAfterTheMiss_changeNothing() {
            missed();
            history.stored(KEY, Expiry.NEVER);
            assertThat(history.lastMiss(KEY)).contains(new ReadHistory.Miss(MissCause.NEVER_LOADED, Duration.ZERO));
            history.removed(KEY);
            assertThat(history.lastMiss(KEY)).contains(new ReadHistory.Miss(MissCause.NEVER_LOADED, Duration.ZERO));
        }

        @Test
        void hit_endsIt_andKeepsWhatIsKnownOfTheExpiry() {
            missed();
            history.stored(KEY, Expiry.afterMillis(100));
            history.found(KEY);
            assertThat(history.lastMiss(KEY)).isEmpty();
            ticker.advance(Duration.ofMillis(100));
            assertThat(missed()).isEqualTo(MissCause.EXPIRED);
        }

        @Test
        void entriesThatShareAPlace_areNotMistakenForEachOther() {
            for (int i = 0; i < 100_000; i++) {
                history.missed(EncodedKey.of("customer:" + i), Kind.ABSENT);
            }
            int known = 0;
            for (int i = 0; i < 100_000; i++) {
                known += history.lastMiss(EncodedKey.of("customer:" + i)).isPresent() ? 1 : 0;
            }
            assertThat(known).isBetween(4_000, 8_192);
        }
    }
}
