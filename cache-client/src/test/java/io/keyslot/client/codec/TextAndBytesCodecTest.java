// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextAndBytesCodecTest {
    @Nested
    class Strings {
        private final Codec<String> codec = Codecs.STRING;

        @Test
        void anyString_comesBack() {
            long seed = 20260228;
            Random random = new Random(seed);
            for (int i = 0; i < 20_000; i++) {
                String text = randomText(random);

                assertThat(codec.decode(ByteBuffer.wrap(codec.encode(text))))
                        .as("seed %d, round %d", seed, i)
                        .isEqualTo(text);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"80", "C080", "E08080", "F4908080", "E282", "EDA081EDB080", "FF", "C3"})
        void bytesThatAreNotUtf8_areRefused(String hex) {
            ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));

            assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(IllegalArgumentException.class);
        }

        private static String randomText(Random random) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(6);
            for (int i = 0; i < length; i++) {
                text.append((char) (random.nextBoolean() ? random.nextInt(0x10000) : 0xD7F0 + random.nextInt(0x830)));
            }
            return text.toString();
        }
    }

    @Nested
    class Bytes {
        private final Codec<byte[]> codec = Codecs.BYTES;

        @Test
        void slice_isReadFromItsPosition() {
            ByteBuffer slice = ByteBuffer.wrap(new byte[] {9, 1, 2}).position(1).asReadOnlyBuffer();

            assertThat(codec.decode(slice)).containsExactly(1, 2);
        }
    }
}
