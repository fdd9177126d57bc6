// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.cache.Codec;
import io.keyslot.cache.failure.CodecException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the class loader of the reader does not find is not written. */
class UnseenClassTest {
    private static final ClassLoader OURS = UnseenClassTest.class.getClassLoader();

    /** Java serialization and Kryo name the class of any value, JSON where its type asks for it. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    public interface Part extends Serializable {}

    public record Order(int number) implements Part {}

    /** Has classes of its own for the nested ones of this test, as another deployment would. */
    private static final class OtherDeployment extends ClassLoader {
        private final AtomicInteger asked = new AtomicInteger();

        OtherDeployment() {
            super("other", OURS);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Order.class.getName())) {
                return super.loadClass(name, resolve);
            }
            asked.incrementAndGet();
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file =
                    Objects.requireNonNull(OURS.getResourceAsStream(name.replace('.', '/') + ".class"))) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        Object order() throws ReflectiveOperationException {
            return loadClass(Order.class.getName()).getConstructor(int.class).newInstance(7);
        }
    }

    @SuppressWarnings("unchecked")
    private static Codec<Object> codec(String name, ClassLoader loader) {
        AllowedClasses allowed = AllowedClasses.of(List.of(Order.class.getName()));
        return (Codec<Object>) Codecs.create(name, Part.class, allowed, loader);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kryo", "jdk", "json"})
    void classOfAnotherLoader_isRefused_withBothLoadersAndWhatToDo(String name) throws Exception {
        Object value = new OtherDeployment().order();

        assertThatThrownBy(() -> codec(name, OURS).encode(value))
                .isInstanceOf(CodecException.class)
                .hasMessageContainingAll(
                        "Codec " + name,
                        Order.class.getName(),
                        "'other'",
                        OURS.getClass().getName(),
                        "getCacheManager(uri, loader)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kryo", "jdk"})
    void classInsideOfAValue_andArrays_areRefusedToo(String name) throws Exception {
        Object value = new OtherDeployment().order();
        Codec<Object> codec = codec(name, OURS);

        assertRefused(codec::encode, List.of("x", value));
        assertRefused(codec::encode, java.lang.reflect.Array.newInstance(value.getClass(), 0));
        assertRefused(codec::encode, value.getClass());
    }

    private static void assertRefused(Consumer<Object> encoder, Object value) {
        assertThatThrownBy(() -> encoder.accept(value))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("is not seen by");
    }

    @Test
    void put_isRefused_andNothingIsStored() {
        try (CachingProvider provider = Caching.getCachingProvider(OURS);
                CacheManager manager =
                        provider.getCacheManager(URI.create("unseen"), ClassLoader.getPlatformClassLoader())) {
            Cache<String, Part> cache = manager.createCache(
                    "orders", new MutableConfiguration<String, Part>().setTypes(String.class, Part.class));

            assertThatThrownBy(() -> cache.put("a", new Order(1)))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContainingAll("Order", "is not seen by");
            assertThat(cache.containsKey("a")).isFalse();
        }
    }
}
