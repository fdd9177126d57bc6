// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.RemoteCounter;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A remote counter is an atomic long. */
public abstract class CounterContract extends AggregateContract {
    private final AtomicLong model = new AtomicLong();

    private RemoteCounter visits() {
        return group.counter("visits");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void randomOperations_answerAsThoseOfAnAtomicLong(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            long value = random.nextLong() >> (1 + random.nextInt(62));
            String at = at(seed, step);
            switch (random.nextInt(7)) {
                case 0 -> {
                    visits().set(value);
                    model.set(value);
                }
                case 1 -> assertThat(visits().getAndSet(value)).as(at).isEqualTo(model.getAndSet(value));
                case 2 -> assertThat(visits().addAndGet(value >> 8)).as(at).isEqualTo(model.addAndGet(value >> 8));
                case 3 -> assertThat(visits().incrementAndGet()).as(at).isEqualTo(model.incrementAndGet());
                case 4 -> assertThat(visits().decrementAndGet()).as(at).isEqualTo(model.decrementAndGet());
                case 5 -> {
                    visits().delete();
                    model.set(0);
                }
                default -> assertThat(visits().get()).as(at).isEqualTo(model.get());
            }
        }
    }

    @Test
    void addAndGet_beyond64Bits_isRefusedAndChangesNothing() {
        visits().set(Long.MIN_VALUE);

        assertThatThrownBy(() -> visits().decrementAndGet()).isInstanceOf(ArithmeticException.class);
        assertThat(visits().get()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void concurrentIncrements_allCount() {
        InParallel.run(4, thread -> {
            for (int i = 0; i < 50; i++) {
                visits().incrementAndGet();
            }
        });

        assertThat(visits().get()).isEqualTo(200);
    }
}
