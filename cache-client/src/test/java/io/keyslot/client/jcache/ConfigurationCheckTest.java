// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedConfiguration;
import java.util.stream.Stream;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigurationCheckTest {
    private static final LoadingOptions DEFAULTS = LoadingOptions.defaults();
    private static final java.time.Duration WINDOW = java.time.Duration.ofMinutes(1);

    /** A policy of an application. */
    private record Custom() implements ExpiryPolicy {
        @Override
        public Duration getExpiryForCreation() {
            return Duration.ONE_HOUR;
        }

        @Override
        public Duration getExpiryForAccess() {
            return Duration.ONE_HOUR;
        }

        @Override
        public @Nullable Duration getExpiryForUpdate() {
            return null;
        }
    }

    @Nested
    class CheckExpiry {
        private static PartitionedConfiguration<?, ?> with(LoadingOptions options) {
            return new PartitionedConfiguration<>().setLoading(options);
        }

        @Test
        void everySettingThatNeedsAFixedMoment_isNamed() {
            LoadingOptions all = DEFAULTS.withRefreshAhead(true)
                    .withStaleWhileRevalidate(WINDOW)
                    .withStaleIfError(WINDOW);

            assertThatThrownBy(() -> ConfigurationCheck.checkExpiry(
                            "sale", with(all), new AccessedExpiryPolicy(Duration.ONE_HOUR)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Cache sale: refreshAhead, staleWhileRevalidate, staleIfError cannot be used with"
                            + " AccessedExpiryPolicy, as every access moves the moment at which a value becomes stale;"
                            + " choose CreatedExpiryPolicy or ModifiedExpiryPolicy, or leave it out");
        }

        static Stream<LoadingOptions> withStaleValues() {
            return Stream.of(
                    DEFAULTS.withRefreshAhead(true),
                    DEFAULTS.withStaleWhileRevalidate(WINDOW),
                    DEFAULTS.withStaleIfError(WINDOW));
        }

        @ParameterizedTest
        @MethodSource("withStaleValues")
        void policyThatMovesWithAccess_isRefused(LoadingOptions options) {
            assertThatThrownBy(() -> ConfigurationCheck.checkExpiry(
                            "sale", with(options), new TouchedExpiryPolicy(Duration.ONE_HOUR)))
                    .hasMessageContaining("cannot be used with TouchedExpiryPolicy");
        }

        static Stream<ExpiryPolicy> otherPolicies() {
            return Stream.of(
                    new EternalExpiryPolicy(),
                    new CreatedExpiryPolicy(Duration.ONE_HOUR),
                    new ModifiedExpiryPolicy(Duration.ONE_HOUR),
                    new Custom());
        }

        @ParameterizedTest
        @MethodSource("otherPolicies")
        void otherPolicy_isAccepted(ExpiryPolicy policy) {
            assertThatCode(() -> ConfigurationCheck.checkExpiry("sale", with(DEFAULTS.withRefreshAhead(true)), policy))
                    .doesNotThrowAnyException();
        }

        @Test
        void withoutStaleValues_everyPolicyIsAccepted() {
            ExpiryPolicy touched = new TouchedExpiryPolicy(Duration.ONE_HOUR);

            assertThatCode(() -> ConfigurationCheck.checkExpiry("sale", with(DEFAULTS), touched))
                    .doesNotThrowAnyException();
            assertThatCode(() -> ConfigurationCheck.checkExpiry("sale", new PartitionedConfiguration<>(), touched))
                    .doesNotThrowAnyException();
        }
    }
}
