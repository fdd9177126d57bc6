// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UnchangeableTest {
    private record Price(String currency, long cents, LocalDate since) {}

    private record Order(UUID id, Price price, TimeUnit unit) {}

    private record Node(int number, @Nullable Node next) {}

    private record Basket(List<String> articles) {}

    private record Amount(BigDecimal value) {}

    private record Box<T>(T content) {}

    static List<Object> unchangeable() {
        Price price = new Price("EUR", 99, LocalDate.EPOCH);
        return List.of(
                "text",
                1,
                2L,
                true,
                'c',
                new BigDecimal("1.5"),
                new UUID(1, 2),
                Instant.EPOCH,
                URI.create("a:b"),
                TimeUnit.DAYS,
                price,
                new Order(new UUID(1, 2), price, TimeUnit.DAYS),
                new Node(1, new Node(2, null)));
    }

    @ParameterizedTest
    @MethodSource
    void unchangeable(Object value) {
        assertThat(Unchangeable.is(value)).isTrue();
    }

    /** Whose class does not say it, although the value may well be one. */
    static List<Object> others() {
        return List.of(
                new byte[] {1},
                List.of("a"),
                new AtomicInteger(),
                new Basket(List.of("a")),
                new Amount(BigDecimal.ONE),
                new Box<>("a"),
                new Object());
    }

    @ParameterizedTest
    @MethodSource("others")
    void other_isNone(Object value) {
        assertThat(Unchangeable.is(value)).isFalse();
    }

    @Test
    void subclassOfANumber_isNone() {
        BigDecimal own = new BigDecimal("1") {};

        assertThat(Unchangeable.is(own)).isFalse();
    }
}
