// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.stored.EncodedKey;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.cache.interceptor.SimpleKey;

/** Spring's keys, with the Spring that applications have; the client itself does not know it. */
class SimpleKeyTest {
    private final KeyCodec<Object> untyped = codec(Object.class);

    private static <K> KeyCodec<K> codec(Class<K> type) {
        return KeyCodec.create(
                new KeySpace("", "users", null),
                type,
                SimpleKeyTest.class.getClassLoader(),
                name -> false,
                Codecs.ofKeys("kryo", AllowedClasses.of(List.of()), SimpleKeyTest.class.getClassLoader()));
    }

    private void assertStored(SimpleKey key, String text) {
        Object decoded = untyped.decode(EncodedKey.of(text));

        assertThat(untyped.encode(key).text()).isEqualTo(text);
        assertThat(decoded).isEqualTo(key).hasSameHashCodeAs(key);
    }

    @Test
    void parameters_areItsText() {
        assertStored(new SimpleKey(99L, "a,b"), "users:{users:Long:99,String:a%2Cb}SimpleKey");
        assertStored(new SimpleKey(1, null), "users:{users:Integer:1,%null}SimpleKey");
        assertStored(
                new SimpleKey(LocalDate.EPOCH, List.of("x"), Map.of(1, 2)),
                "users:{users:LocalDate:1970-01-01,List(String:x),Map(Integer:1,Integer:2)}SimpleKey");
    }

    @Test
    void emptyKey_comesBack() {
        assertStored(SimpleKey.EMPTY, "users:{users:}SimpleKey");
        assertThat(untyped.encode(new SimpleKey())).isEqualTo(untyped.encode(SimpleKey.EMPTY));
    }

    @Test
    void arrays_areTheirContent_asSimpleKeyComparesThem() {
        assertStored(
                new SimpleKey(new int[] {1, 2}, new byte[] {10}, new String[] {"a"}),
                "users:{users:int[](1,2),byte[]:0a,Object[](String:a)}SimpleKey");
        assertThat(untyped.encode(new SimpleKey((Object) new String[] {"a"})))
                .isEqualTo(untyped.encode(new SimpleKey((Object) new Object[] {"a"})));
    }

    @Test
    void nestedKeys_areParameters() {
        assertStored(
                new SimpleKey(new SimpleKey(1, 2), Set.of(3)),
                "users:{users:SimpleKey(Integer:1,Integer:2),Set(Integer:3)}SimpleKey");
    }

    @Test
    void declaredType_needsNoForm() {
        KeyCodec<SimpleKey> codec = codec(SimpleKey.class);
        EncodedKey encoded = codec.encode(new SimpleKey(1, 2));

        assertThat(encoded.text()).isEqualTo("users:Integer:1,Integer:2");
        assertThat(codec.decode(encoded)).isEqualTo(new SimpleKey(1, 2));
    }
}
