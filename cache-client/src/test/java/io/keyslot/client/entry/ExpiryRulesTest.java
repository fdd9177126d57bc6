// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ExpiryRulesTest {
    private static final javax.cache.expiry.Duration MINUTE = javax.cache.expiry.Duration.ONE_MINUTE;
    private static final Expiry IN_A_MINUTE = Expiry.afterMillis(60_000);

    /** A policy that gives the same answer for everything, and is none of the API's own. */
    private static final class Custom implements ExpiryPolicy {
        private final Supplier<javax.cache.expiry.@Nullable Duration> answer;

        Custom(Supplier<javax.cache.expiry.@Nullable Duration> answer) {
            this.answer = answer;
        }

        @Override
        @SuppressWarnings("NullAway") // null means that nothing changes
        public javax.cache.expiry.Duration getExpiryForCreation() {
            return answer.get();
        }

        @Override
        @SuppressWarnings("NullAway") // null means that nothing changes
        public javax.cache.expiry.Duration getExpiryForAccess() {
            return answer.get();
        }

        @Override
        @SuppressWarnings("NullAway") // null means that nothing changes
        public javax.cache.expiry.Duration getExpiryForUpdate() {
            return answer.get();
        }
    }

    private static ExpiryRules custom(Supplier<javax.cache.expiry.@Nullable Duration> answer) {
        return ExpiryRules.of(new Custom(answer));
    }

    private static ExpiryRules custom(TimeUnit unit, long amount) {
        return custom(() -> new javax.cache.expiry.Duration(unit, amount));
    }

    private static void assertRules(ExpiryRules rules, Expiry creation, Expiry update, Expiry access) {
        assertThat(rules.onCreation()).hasValue(creation);
        assertThat(rules.onUpdate()).hasValue(update);
        assertThat(rules.onAccess()).hasValue(access);
    }

    @Nested
    class OfThePoliciesOfTheApi {
        @Test
        void each_saysWhenItCounts() {
            Expiry same = Expiry.UNCHANGED;
            assertRules(ExpiryRules.of(new EternalExpiryPolicy()), Expiry.NEVER, same, same);
            assertRules(ExpiryRules.of(new CreatedExpiryPolicy(MINUTE)), IN_A_MINUTE, same, same);
            assertRules(ExpiryRules.of(new ModifiedExpiryPolicy(MINUTE)), IN_A_MINUTE, IN_A_MINUTE, same);
            assertRules(ExpiryRules.of(new AccessedExpiryPolicy(MINUTE)), IN_A_MINUTE, same, IN_A_MINUTE);
            assertRules(ExpiryRules.of(new TouchedExpiryPolicy(MINUTE)), IN_A_MINUTE, IN_A_MINUTE, IN_A_MINUTE);
        }

        @Test
        void areConstant_unlessEntriesExpireAtOnce() {
            assertThat(ExpiryRules.of(new TouchedExpiryPolicy(MINUTE)).isConstant())
                    .isTrue();
            assertThat(ExpiryRules.of(new CreatedExpiryPolicy(javax.cache.expiry.Duration.ZERO))
                            .isConstant())
                    .isFalse();
        }
    }

    @Nested
    class OfAPolicyOfTheApplication {
        @Test
        void isAskedEachTime() {
            long[] amount = {0};
            ExpiryRules rules = custom(() -> new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, ++amount[0]));

            assertThat(rules.isConstant()).isFalse();
            assertThat(rules.onCreation()).hasValue(Expiry.afterMillis(1));
            assertThat(rules.onCreation()).hasValue(Expiry.afterMillis(2));
        }

        @Test
        void zero_isAtOnce() {
            ExpiryRules rules = custom(() -> javax.cache.expiry.Duration.ZERO);

            assertThat(rules.onCreation()).isEmpty();
            assertThat(rules.onUpdate()).isEmpty();
            assertThat(rules.onAccess()).isEmpty();
        }

        @Test
        void eternal_isNever() {
            ExpiryRules rules = custom(() -> javax.cache.expiry.Duration.ETERNAL);

            assertRules(rules, Expiry.NEVER, Expiry.NEVER, Expiry.NEVER);
        }

        @Test
        void nothing_leavesAnEntryAsItIs_andANewOneForEver() {
            assertRules(custom(() -> null), Expiry.NEVER, Expiry.UNCHANGED, Expiry.UNCHANGED);
        }

        @Test
        void failure_isAsNothing() {
            ExpiryRules rules = custom(() -> {
                throw new IllegalStateException("policy");
            });

            assertRules(rules, Expiry.NEVER, Expiry.UNCHANGED, Expiry.UNCHANGED);
        }

        @Test
        void error_isThrown() {
            StackOverflowError error = new StackOverflowError();
            ExpiryRules rules = custom(() -> {
                throw error;
            });

            assertThatThrownBy(rules::onCreation).isSameAs(error);
        }

        @Test
        void durations_areCountedInMilliseconds() {
            assertThat(custom(TimeUnit.MILLISECONDS, 1).onCreation()).hasValue(Expiry.afterMillis(1));
            assertThat(custom(TimeUnit.SECONDS, 2).onCreation()).hasValue(Expiry.afterMillis(2000));
            assertThat(custom(TimeUnit.DAYS, 1).onCreation()).hasValue(Expiry.afterMillis(86_400_000));
        }

        @Test
        void hugeDuration_isNever() {
            assertThat(custom(TimeUnit.DAYS, Long.MAX_VALUE).onCreation()).hasValue(Expiry.NEVER);
            assertThat(custom(TimeUnit.MILLISECONDS, Long.MAX_VALUE).onCreation())
                    .hasValue(Expiry.NEVER);
        }
    }

    @Nested
    class WithTimeToLive {
        private final ExpiryRules rules = ExpiryRules.of(new AccessedExpiryPolicy(MINUTE));

        @Test
        void counts_forCreationAndUpdate_notForAccess() {
            ExpiryRules limited = rules.withTimeToLive(Duration.ofMillis(5));

            assertRules(limited, Expiry.afterMillis(5), Expiry.afterMillis(5), IN_A_MINUTE);
            assertThat(limited.isConstant()).isTrue();
        }

        @Test
        void partsOfAMillisecond_areRoundedUp() {
            assertThat(rules.withTimeToLive(Duration.ofNanos(1)).onCreation()).hasValue(Expiry.afterMillis(1));
            assertThat(rules.withTimeToLive(Duration.ofNanos(1_000_001)).onCreation())
                    .hasValue(Expiry.afterMillis(2));
            assertThat(rules.withTimeToLive(Duration.ofMillis(2)).onCreation()).hasValue(Expiry.afterMillis(2));
        }

        @Test
        void zeroOrLess_isRefused() {
            assertThatThrownBy(() -> rules.withTimeToLive(Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("timeToLive is PT0S, must be more than zero");
            assertThatThrownBy(() -> rules.withTimeToLive(Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void moreThanALongOfMilliseconds_isNever() {
            assertThat(rules.withTimeToLive(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))
                            .onCreation())
                    .hasValue(Expiry.NEVER);
            assertThat(rules.withTimeToLive(Duration.ofMillis(Long.MAX_VALUE)).onCreation())
                    .hasValue(Expiry.NEVER);
        }
    }
}
