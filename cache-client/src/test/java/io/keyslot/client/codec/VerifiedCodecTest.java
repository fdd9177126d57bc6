// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class VerifiedCodecTest {
    private static final String ADA = "5ffbe566" // CRC-32C of what follows
            + "416461"; // Ada

    private final Codec<String> codec = new VerifiedCodec<>(Codecs.STRING, String.class);

    @Nested
    class InAnArray {
        @Test
        void oursReadsBetweenOtherBytes_andChangesNothing() {
            Random random = new Random(70);
            List<VerifiedCodec<Object>> codecs = List.of(made("kryo5"), made("jdk"));
            for (int i = 0; i < 200; i++) {
                VerifiedCodec<Object> ours = codecs.get(i % codecs.size());
                List<Long> value = random.longs(random.nextInt(20)).boxed().toList();
                byte[] written = ours.encode(new ArrayList<>(value));
                int offset = random.nextInt(40);
                byte[] array = new byte[offset + written.length + random.nextInt(40)];
                random.nextBytes(array);
                System.arraycopy(written, 0, array, offset, written.length);
                byte[] before = array.clone();

                assertThat(ours.decode(array, offset, written.length, true)).isEqualTo(value);
                assertThat(array).isEqualTo(before);
            }
        }

        @Test
        void applicationsCodec_cannotChangeWhatOthersRead() {
            VerifiedCodec<String> scribbling = new VerifiedCodec<>(new ScribblingCodec(), String.class);
            byte[] written = scribbling.encode("Ada");
            byte[] before = written.clone();

            assertThat(scribbling.decode(written, 0, written.length, true)).isEqualTo("Ada");
            assertThat(written).isEqualTo(before);
        }

        @SuppressWarnings("unchecked") // as in a cache: the codec reads whatever the bytes say
        private static VerifiedCodec<Object> made(String name) {
            Codec<?> codec = Codecs.create(
                    name, Object.class, AllowedClasses.everything(), VerifiedCodecTest.class.getClassLoader());
            return new VerifiedCodec<>((Codec<Object>) codec, Object.class);
        }
    }

    /** Reads all that remains, and writes zeros over it. */
    private static final class ScribblingCodec implements Codec<String> {
        @Override
        public String name() {
            return "scribbling";
        }

        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(ByteBuffer bytes) {
            ByteBuffer all = bytes.duplicate();
            String text = StandardCharsets.UTF_8.decode(bytes).toString();
            while (all.hasRemaining()) {
                all.put((byte) 0);
            }
            return text;
        }
    }

    @Nested
    class Decode {
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
    }
}
