// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashSlotTest {
    private static final String MEMBER = "order:{customer:99}:1001";
    private static final int SLOT_OF_MEMBER = HashSlot.of("customer:99");

    @Nested
    class OfText {
        /** As CLUSTER KEYSLOT of a Redis 7.0 says. */
        @ParameterizedTest
        @CsvSource(quoteCharacter = '"', textBlock = """
                123456789,            12739
                foo,                  12182
                {user1000}.following, 3443
                {user1000}.followers, 3443
                foo{}{bar},           8363
                foo{{bar}}zap,        4015
                foo{bar}{zap},        5061
                ключ,                 10303
                "",                   0
                {},                   15257
                a}b{c},               7365
                a{b,                  13340
                """)
        void slot_isTheServers(String key, int slot) {
            assertThat(HashSlot.of(key)).isEqualTo(slot);
        }
    }

    @Nested
    class Tag {
        @ParameterizedTest
        @CsvSource(quoteCharacter = '"', textBlock = """
                customer:99,          customer:99
                {user1000}.following, user1000
                foo{}{bar},           foo{}{bar}
                foo{{bar}}zap,        {bar
                foo{bar}{zap},        bar
                foo}{bar},            bar
                foo{bar,              foo{bar
                foo}bar,              foo}bar
                клю{ч},               ч
                "",                   ""
                """)
        void tag_isWhatTheSpecificationSays(String key, String tag) {
            assertThat(HashSlot.tag(key)).isEqualTo(tag);
        }
    }

    @Nested
    class OfBytes {
        @Test
        void partOfAnArray_isTakenForItself() {
            byte[] bytes = ("{x}" + MEMBER + "{y}").getBytes(StandardCharsets.UTF_8);

            assertThat(HashSlot.of(bytes, 3, MEMBER.length())).isEqualTo(SLOT_OF_MEMBER);
        }

        @Test
        void braceBeyondThePart_closesNothing() {
            byte[] bytes = "{user1000}".getBytes(StandardCharsets.UTF_8);

            assertThat(HashSlot.of(bytes, 0, bytes.length - 1)).isEqualTo(HashSlot.of("{user1000"));
        }
    }

    @Nested
    class OfBuffer {
        @Test
        void bufferWhosePositionIsNotZero_keepsItsHashTag() {
            ByteBuffer buffer = wrapped();

            assertThat(HashSlot.of(buffer)).isEqualTo(SLOT_OF_MEMBER);
            assertThat(buffer.position()).isEqualTo(3);
        }

        @Test
        void directBuffer_hasTheSameSlot() {
            ByteBuffer direct = ByteBuffer.allocateDirect(64).put(wrapped()).flip();

            assertThat(HashSlot.of(direct)).isEqualTo(SLOT_OF_MEMBER);
            assertThat(direct.remaining()).isEqualTo(MEMBER.length());
        }

        private static ByteBuffer wrapped() {
            byte[] bytes = ("{x}" + MEMBER + "{y}").getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(bytes, 3, MEMBER.length());
        }
    }
}
