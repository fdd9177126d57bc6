// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import io.keyslot.client.codec.allow.AllowedClasses;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecsTest {
    @Test
    void defaultCodec_followsTheDeclaredType() {
        assertThat(create("default", String.class)).isInstanceOf(StringCodec.class);
        assertThat(create("default", byte[].class)).isInstanceOf(BytesCodec.class);
        assertThat(create("default", Object.class)).isInstanceOf(KryoCodec.class);
        assertThat(create("default", Long.class)).isInstanceOf(KryoCodec.class);
    }

    @Test
    void unknownName_isRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> create("xml", Object.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("codec is 'xml', must be one of default, kryo5, kryo, string, bytes, json, jdk,"
                        + " or the full name of a class");
    }

    @Test
    void nameOfAClassThatIsNoCodec_isRefused() {
        assertThatThrownBy(() -> create("java.lang.Object", Object.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'java.lang.Object'", "not a Codec");
        assertThatThrownBy(() -> create("com.acme.Missing", Object.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'com.acme.Missing'", "class path");
    }

    private static Codec<?> create(String name, Class<?> valueType) {
        return Codecs.create(name, valueType, AllowedClasses.of(List.of()), CodecsTest.class.getClassLoader());
    }

    record Item(int number) {}
}
