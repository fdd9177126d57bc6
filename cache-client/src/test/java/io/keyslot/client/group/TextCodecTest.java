// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntityKey;
import io.keyslot.client.group.ElementCodecs.TextCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextCodecTest {
    @Nested
    class Encode {
        @Test
        void scalar_isWhatRedisCliShows() {
            assertThat(text("Ada")).isEqualTo("Ada");
            assertThat(text(-42L)).isEqualTo("-42");
            assertThat(text(42)).isEqualTo("42");
            assertThat(text((short) 42)).isEqualTo("42");
            assertThat(text((byte) -1)).isEqualTo("-1");
            assertThat(text(true)).isEqualTo("true");
            assertThat(text(new UUID(1, 2))).isEqualTo("00000000-0000-0001-0000-000000000002");
            assertThat(text(EntityKey.of("order", 7).in(EntityKey.of("customer", 99))))
                    .isEqualTo("order:{customer:99}:7");
            assertThat(text(TimeUnit.DAYS)).isEqualTo("DAYS");
        }

        @ParameterizedTest
        @CsvSource({
            "1, 1",
            "-0.0, -0",
            "0.1, 0.1",
            "99.5, 99.5",
            "1e23, 1E+23",
            "1e-7, 1E-7",
            "NaN, nan",
            "Infinity, inf",
            "-Infinity, -inf",
            "123456789012, 123456789012"
        })
        void fraction_isAsServersReadIt(double number, String text) {
            assertThat(text(number)).isEqualTo(text);
            assertThat(decode(Double.class, text)).isEqualTo(Double.valueOf(number));
        }
    }

    @Nested
    class Decode {
        // Random bits are mostly numbers that no short text has.
        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3})
        void whatWasEncoded_comesBackExactly(long seed) {
            Random random = new Random(seed);
            for (int i = 0; i < 300; i++) {
                for (Object value : List.of(
                        random.nextLong(),
                        random.nextInt(),
                        Double.longBitsToDouble(random.nextLong()),
                        Float.intBitsToFloat(random.nextInt()),
                        new UUID(random.nextLong(), random.nextLong()),
                        random.ints(5, 0, 0x10000)
                                .mapToObj(c -> String.valueOf((char) c))
                                .reduce("", String::concat))) {
                    assertThat(there(value)).as("seed %d, %s", seed, value).isEqualTo(value);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"07", "+7", " 7", "7.0", "", "seven", "9223372036854775808"})
        void textThatNoNumberHas_isRefused(String text) {
            assertThatThrownBy(() -> decode(Long.class, text)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void textOfAnother_isRefused() {
            assertThatThrownBy(() -> decode(Boolean.class, "yes")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> decode(UUID.class, "1-2-3-4-5")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> decode(TimeUnit.class, "days")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> decode(Double.class, "much")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @SuppressWarnings("unchecked") // the class of the value
    private static <E> String text(E value) {
        Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        return text((Class<E>) type, value);
    }

    /** Returns what comes back of a value. */
    @SuppressWarnings("unchecked") // the class of the value
    private static <E> E there(E value) {
        Codec<E> codec = codec((Class<E>) value.getClass());
        return codec.decode(ByteBuffer.wrap(codec.encode(value)));
    }

    private static <E> String text(Class<E> type, E value) {
        return new String(codec(type).encode(value), StandardCharsets.UTF_8);
    }

    private static <E> E decode(Class<E> type, String text) {
        return codec(type).decode(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static <E> Codec<E> codec(Class<E> type) {
        return TextCodec.of(type).orElseThrow();
    }
}
