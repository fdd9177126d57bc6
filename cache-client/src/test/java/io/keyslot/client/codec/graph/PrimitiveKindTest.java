// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.codec.KryoCodec;
import io.keyslot.client.codec.allow.AllowedClasses;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PrimitiveKindTest {
    private final KryoCodec codec = KryoCodec.create(
            AllowedClasses.of(List.of("io.keyslot.client.codec.graph.*")),
            getClass().getClassLoader());

    static Stream<Arguments> recordsAndBoxes() {
        return Stream.of(
                Arguments.of(new OfBoolean(true), true),
                Arguments.of(new OfByte((byte) -7), (byte) -7),
                Arguments.of(new OfChar('\uFFFD'), '\uFFFD'),
                Arguments.of(new OfShort(Short.MIN_VALUE), Short.MIN_VALUE),
                Arguments.of(new OfInt(-300), -300),
                Arguments.of(new OfLong(Long.MAX_VALUE), Long.MAX_VALUE),
                Arguments.of(new OfFloat(-0.0f), -0.0f),
                Arguments.of(new OfDouble(Math.PI), Math.PI));
    }

    @ParameterizedTest
    @MethodSource("recordsAndBoxes")
    void primitiveComponent_hasTheBytesOfItsBoxWithoutTheTag(Record holder, Object box) {
        byte[] boxed = codec.encode(box);
        byte[] bytes = codec.encode(holder);

        assertThat(Arrays.copyOfRange(bytes, bytes.length - boxed.length + 2, bytes.length))
                .isEqualTo(Arrays.copyOfRange(boxed, 2, boxed.length));
        assertThat(codec.decode(ByteBuffer.wrap(bytes))).isEqualTo(holder);
    }

    @ParameterizedTest
    @MethodSource("recordsAndBoxes")
    void primitiveField_comesBack(Record holder, Object box) {
        AllPrimitives all = new AllPrimitives(holder.hashCode());

        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(all)))).isEqualTo(all);
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(box)))).isEqualTo(box);
    }

    record OfBoolean(boolean value) {}

    record OfByte(byte value) {}

    record OfChar(char value) {}

    record OfShort(short value) {}

    record OfInt(int value) {}

    record OfLong(long value) {}

    record OfFloat(float value) {}

    record OfDouble(double value) {}

    static final class AllPrimitives {
        private final boolean a;
        private final byte b;
        private final char c;
        private final short d;
        private final int e;
        private final long f;
        private final float g;
        private final double h;

        AllPrimitives(int seed) {
            a = seed % 2 == 0;
            b = (byte) seed;
            c = (char) seed;
            d = (short) seed;
            e = seed;
            f = seed * 0x1_0000_0001L;
            g = seed / 3f;
            h = seed / 7d;
        }

        private List<Object> all() {
            return List.of(a, b, c, d, e, f, g, h);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AllPrimitives primitives && all().equals(primitives.all());
        }

        @Override
        public int hashCode() {
            return Objects.hash(all());
        }
    }
}
