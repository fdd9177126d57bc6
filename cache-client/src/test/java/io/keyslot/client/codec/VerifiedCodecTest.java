// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import io.keyslot.client.codec.allow.AllowedClasses;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class VerifiedCodecTest {
    private static final String ADA = "5ffbe566" // CRC-32C of what follows
            + "416461"; // Ada

    private final Codec<String> codec = new VerifiedCodec<>(new StringCodec(), String.class);

    @Nested
    class Encode {
        @Test
        void checksum_standsBeforeTheValue() {
            assertThat(HexFormat.of().formatHex(codec.encode("Ada"))).isEqualTo(ADA);
        }
    }

    @Nested
    class Decode {
        @Test
        void whatWasWritten_comesBack() {
            assertThat(codec.decode(ByteBuffer.wrap(codec.encode("")))).isEmpty();
            assertThat(codec.decode(ByteBuffer.wrap(codec.encode("Grüße")))).isEqualTo("Grüße");
        }

        @Test
        void everyFlippedBit_isNotAValue() {
            byte[] written = HexFormat.of().parseHex(ADA);
            for (int bit = 0; bit < written.length * 8; bit++) {
                byte[] damaged = written.clone();
                damaged[bit / 8] ^= (byte) (1 << bit % 8);

                assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(damaged)))
                        .as("bit %d", bit)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }

        @Test
        void everyCutOffTail_isNotAValue() {
            byte[] written = HexFormat.of().parseHex(ADA);
            for (int length = 0; length < written.length; length++) {
                ByteBuffer cut = ByteBuffer.wrap(written, 0, length);

                assertThatThrownBy(() -> codec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
            }
        }

        @Test
        void valueOfAnotherType_isNotAValue() {
            byte[] number = of(Object.class).encode(99L);

            assertThat(of(Long.class).decode(ByteBuffer.wrap(number))).isEqualTo(99L);
            assertThatThrownBy(() -> of(String.class).decode(ByteBuffer.wrap(number)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Codec kryo: the bytes are a value of another type than java.lang.String");
        }

        @SuppressWarnings("unchecked") // as in a cache: the codec reads whatever the bytes say
        private static <V> Codec<V> of(Class<V> type) {
            AllowedClasses none = AllowedClasses.of(List.of());
            Codec<?> kryo = Codecs.create("kryo5", Object.class, none, VerifiedCodecTest.class.getClassLoader());
            return new VerifiedCodec<>((Codec<V>) kryo, type);
        }
    }
}
