// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CodecException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JdkCodecTest {
    private final JdkCodec codec = codecFor("io.keyslot.client.codec.*");

    static Stream<Object> samples() {
        return Samples.all()
                .filter(sample -> sample instanceof Serializable)
                .filter(sample -> !(sample instanceof Optional))
                .map(sample -> new Object[] {sample});
    }

    @ParameterizedTest
    @MethodSource("samples")
    void valueOfTheJdk_comesBackEqual(Object sample) {
        assertThat(Arrays.deepEquals(new Object[] {copyOf(sample)}, new Object[] {sample}))
                .isTrue();
    }

    @Test
    void classThatIsNotAllowed_isRefusedByWriterAndReader() {
        JdkCodec strict = codecFor("com.acme.*");
        String line = "codec.allow: [ \"%s\" ]".formatted(Item.class.getName());
        byte[] bytes = codec.encode(new ArrayList<>(List.of(new Item("x", List.of()))));

        assertThatThrownBy(() -> strict.encode(new Item("x", List.of())))
                .isInstanceOf(CodecException.class)
                .hasMessageContainingAll("Codec jdk", line);
        assertThatThrownBy(() -> strict.decode(ByteBuffer.wrap(bytes)))
                .isInstanceOf(CodecException.class)
                .hasMessageContainingAll("Codec jdk", line);
    }

    @Test
    void bytesAfterTheValue_areRefused() {
        byte[] bytes = codec.encode(1);

        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void viewOfTheJdk_comesBackEqual_orIsRefused() {
        Samples.views().forEach(view -> {
            byte[] bytes;
            try {
                bytes = codec.encode(view);
            } catch (CodecException e) {
                assertThat(e).hasMessageStartingWith("Codec jdk: ");
                return;
            }
            assertThat(codec.decode(ByteBuffer.wrap(bytes))).isEqualTo(view);
        });
    }

    private Object copyOf(Object value) {
        return codec.decode(ByteBuffer.wrap(codec.encode(value)));
    }

    private static JdkCodec codecFor(String pattern) {
        return JdkCodec.create(AllowedClasses.of(List.of(pattern)), JdkCodecTest.class.getClassLoader());
    }

    record Item(String name, List<Integer> numbers) implements Serializable {}
}
