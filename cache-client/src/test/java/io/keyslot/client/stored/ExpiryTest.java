// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryTest {
    private static final long THOUSAND_YEARS = 1_000L * 365 * 24 * 3_600_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, THOUSAND_YEARS})
    void time_isKept(long millis) {
        Expiry expiry = Expiry.afterMillis(millis);

        assertThat(expiry.millis()).isEqualTo(millis);
        assertThat(expiry.isNever()).isFalse();
        assertThat(expiry.isUnchanged()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {THOUSAND_YEARS + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void moreThanAThousandYears_areNever(long millis) {
        assertThat(Expiry.afterMillis(millis)).isEqualTo(Expiry.NEVER);
        assertThat(new Expiry(millis)).isEqualTo(Expiry.NEVER);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void lessThanAMillisecond_isRejected(long millis) {
        assertThatThrownBy(() -> Expiry.afterMillis(millis))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expiry is %d ms, must be at least 1", millis);
    }

    @Test
    void negativeTime_isRejectedByTheRecordToo() {
        assertThatThrownBy(() -> new Expiry(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void neverAndUnchanged_areDifferent() {
        assertThat(Expiry.NEVER.isNever()).isTrue();
        assertThat(Expiry.NEVER.isUnchanged()).isFalse();
        assertThat(Expiry.UNCHANGED.isUnchanged()).isTrue();
        assertThat(Expiry.UNCHANGED.isNever()).isFalse();
    }
}
