// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
    private static final int FROM = 100;
    private static final int MOST = 1 << 20;
    private static final int CHECKSUM = 4;
    private static final int HEADER = 5;

    private final VerifiedCodec<byte[]> plain = new VerifiedCodec<>(Codecs.BYTES, byte[].class);
    private final VerifiedCodec<byte[]> compressing =
            new VerifiedCodec<>(Codecs.BYTES, byte[].class, new Compression(FROM, MOST));
    private final VerifiedCodec<byte[]> reading =
            new VerifiedCodec<>(Codecs.BYTES, byte[].class, new Compression(Compression.OFF, MOST));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void valuesOfAnySizeAndContent_comeBack_andAreNeverLarger(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            byte[] value = value(random);
            byte[] encoded = compressing.encode(value);

            assertThat(encoded.length).as("seed %d, value %d", seed, i).isLessThanOrEqualTo(CHECKSUM + value.length);
            assertThat(compressing.decode(ByteBuffer.wrap(encoded))).isEqualTo(value);
            assertThat(reading.decode(ByteBuffer.wrap(encoded))).isEqualTo(value);
            assertThat(compressing.decode(ByteBuffer.wrap(plain.encode(value)))).isEqualTo(value);
        }
    }

    /** Returns bytes of few or many different values, in repeated pieces of random length. */
    private static byte[] value(Random random) {
        byte[] piece = new byte[1 + random.nextInt(300)];
        int different = 1 + random.nextInt(256);
        for (int i = 0; i < piece.length; i++) {
            piece[i] = (byte) random.nextInt(different);
        }
        byte[] value = new byte[random.nextInt(3_000)];
        for (int i = 0; i < value.length; i++) {
            value[i] = piece[i % piece.length];
        }
        return value;
    }

    @Test
    void smallValues_andThoseThatDoNotBecomeSmaller_areStoredAsTheyAre() {
        byte[] small = new byte[FROM - 1];
        byte[] large = new byte[FROM];
        byte[] random = new byte[10_000];
        new Random(1).nextBytes(random);

        assertThat(compressing.encode(small)).isEqualTo(plain.encode(small));
        assertThat(compressing.encode(random)).isEqualTo(plain.encode(random));
        assertThat(compressing.encode(large)).hasSizeLessThan(FROM / 2);
        assertThat(compressing.encode(new byte[MOST + 1])).hasSize(CHECKSUM + MOST + 1);
    }

    @Test
    void bytesThatWouldBecomeLargerThanTheLimit_areRefused() {
        VerifiedCodec<byte[]> larger = new VerifiedCodec<>(Codecs.BYTES, byte[].class, new Compression(FROM, 2 * MOST));

        assertThatThrownBy(() -> compressing.decode(ByteBuffer.wrap(larger.encode(new byte[MOST + 1]))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Compressed bytes that claim another length: neither more memory is used, nor is a part of the value served. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9_999, 10_001, MOST, Integer.MAX_VALUE, -1})
    void otherLength_isRefused(int claimed) {
        byte[] deflated = new byte[1_000];
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        deflater.setInput(new byte[10_000]);
        deflater.finish();
        int length = deflater.deflate(deflated);
        deflater.end();
        ByteBuffer forged = ByteBuffer.allocate(CHECKSUM + HEADER + length);
        forged.put(CHECKSUM, new byte[] {1}).putInt(CHECKSUM + 1, claimed).put(CHECKSUM + HEADER, deflated, 0, length);
        forged.putInt(0, ~VerifiedCodec.checksum(forged.array(), CHECKSUM, HEADER + length));

        assertThatThrownBy(() -> compressing.decode(forged)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void damagedBytes_withAChecksumThatIsRight_areAValueOrRefused(long seed) {
        Random random = new Random(seed);
        byte[] encoded = compressing.encode(value(new Random(7)));
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = encoded.clone();
            damaged[CHECKSUM + random.nextInt(damaged.length - CHECKSUM)] = (byte) random.nextInt();
            ByteBuffer.wrap(damaged).putInt(0, ~VerifiedCodec.checksum(damaged, CHECKSUM, damaged.length - CHECKSUM));
            try {
                assertThat(compressing.decode(ByteBuffer.wrap(damaged)).length).isLessThanOrEqualTo(MOST);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        }
    }
}
