// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;

class MeasurementsTest {
    private final AtomicLong clock = new AtomicLong();
    private final Measurements measurements = new Measurements(() -> clock.getAndAdd(20));

    @Test
    void time_ofARightAnswer_returnsIt() {
        String answer = measurements.time(() -> "sale", "sale"::equals);

        assertThat(answer).isEqualTo("sale");
        assertThat(measurements.latencies().longest()).isEqualTo(20);
        assertThat(measurements.latencies().count()).isEqualTo(1);
        assertThat(measurements.errors() + measurements.wrongAnswers()).isZero();
    }

    @Test
    void time_ofAnotherAnswer_countsItAsWrong() {
        measurements.time(() -> "another", "sale"::equals);

        assertThat(measurements.wrongAnswers()).isEqualTo(1);
        assertThat(measurements.errors()).isZero();
    }

    @Test
    void time_ofAFailure_countsAnErrorAndKeepsTheFirst() {
        CacheException first = new CacheException("first");
        fail(first);
        fail(new CacheException("second"));

        assertThat(measurements.errors()).isEqualTo(2);
        assertThat(measurements.firstError()).isSameAs(first);
        assertThat(measurements.latencies().count()).isEqualTo(2);
    }

    private void fail(CacheException failure) {
        measurements.time(
                () -> {
                    throw failure;
                },
                answer -> true);
    }

    @Test
    void time_ofABug_letsItThrough() {
        assertThatThrownBy(() -> measurements.time(
                        () -> {
                            throw new IllegalStateException("bug");
                        },
                        answer -> true))
                .isInstanceOf(IllegalStateException.class);
    }
}
