// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Bytes are read where they are: in arrays that contain more, and that others read at the same time. */
class KryoCodecBuffersTest {
    private static final int BEFORE = 22;
    private static final int AFTER = 9;
    private static final Item ITEM = new Item(99, "Grüße", List.of("a", 1L), 1.5);

    private final Codec<Object> codec = new VerifiedCodec<>(
            KryoCodec.create(
                    AllowedClasses.of(List.of("io.keyslot.client.codec.*")),
                    getClass().getClassLoader()),
            Object.class);
    private final byte[] encoded = codec.encode(ITEM);

    @Nested
    class Decode {
        @Test
        void everyKindOfBuffer_givesTheValue() {
            byte[] array = surrounded(encoded);
            ByteBuffer part = ByteBuffer.wrap(array, BEFORE, encoded.length);
            ByteBuffer direct = ByteBuffer.allocateDirect(encoded.length).put(0, encoded);

            for (ByteBuffer buffer : List.of(part, part.slice(), part.asReadOnlyBuffer(), direct)) {
                assertThat(codec.decode(buffer)).as("%s", buffer).isEqualTo(ITEM);
            }
        }

        @Test
        void bytesBehindTheLimit_areNotRead() {
            byte[] array = surrounded(encoded);
            ByteBuffer cut = ByteBuffer.wrap(array, BEFORE, encoded.length - 1);

            assertThatThrownBy(() -> codec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class HostileBytes {
        private static final long SEED = 20261121;

        @Test
        void array_isNeverChanged() {
            Codec<Object> unverified = KryoCodec.create(
                    AllowedClasses.of(List.of("io.keyslot.client.codec.*")),
                    getClass().getClassLoader());
            List<byte[]> corpus = new ArrayList<>(List.of(unverified.encode(ITEM)));
            Samples.all().forEach(sample -> corpus.add(unverified.encode(sample)));
            Random random = new Random(SEED);
            for (int i = 0; i < 20_000; i++) {
                byte[] bytes = corpus.get(random.nextInt(corpus.size())).clone();
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                byte[] array = surrounded(bytes);
                byte[] before = array.clone();
                int length = bytes.length - random.nextInt(2);

                assertHarmless(unverified, ByteBuffer.wrap(array, BEFORE, length), i);

                assertThat(array).as("seed %d, input %d", SEED, i).isEqualTo(before);
            }
        }

        private static void assertHarmless(Codec<Object> codec, ByteBuffer bytes, int input) {
            try {
                assertThat(codec.decode(bytes))
                        .as("seed %d, input %d", SEED, input)
                        .isNotNull();
            } catch (RuntimeException e) {
                assertThat(e).as("seed %d, input %d", SEED, input).isNotInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    void textsLongerThanTheBuffer_comeBack() {
        String ascii = "x".repeat(100_000);

        for (String text : List.of(ascii, ascii + 'ü', "ü" + ascii, ascii + "\uD800")) {
            Item item = new Item(1, text, List.of(text), 0);

            assertThat(codec.decode(ByteBuffer.wrap(codec.encode(item)))).isEqualTo(item);
        }
    }

    private static byte[] surrounded(byte[] bytes) {
        byte[] array = new byte[BEFORE + bytes.length + AFTER];
        Arrays.fill(array, (byte) 1);
        System.arraycopy(bytes, 0, array, BEFORE, bytes.length);
        return array;
    }

    record Item(int id, String text, List<?> more, double number) {}
}
