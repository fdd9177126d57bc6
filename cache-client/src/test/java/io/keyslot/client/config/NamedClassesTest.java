// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedClassesTest {
    private static final String HERE = NamedClassesTest.class.getName() + "$";

    /** A loader of which an object can be made. */
    public static class Loader implements CacheLoader<String, String> {
        @Override
        public @Nullable String load(String key) {
            return null;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            return Map.of();
        }
    }

    /** A writer of which an object can be made. */
    public static final class Writer implements CacheWriter<String, String> {
        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {}

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {}

        @Override
        public void delete(Object key) {}

        @Override
        public void deleteAll(Collection<?> keys) {}
    }

    /** A codec of which an object can be made. */
    public static final class TextCodec implements Codec<String> {
        @Override
        public String name() {
            return "text";
        }

        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(ByteBuffer bytes) {
            return StandardCharsets.UTF_8.decode(bytes).toString();
        }
    }

    /** Has no constructor without parameters. */
    public static final class WithParameter extends Loader {
        public WithParameter(String ignored) {}
    }

    /** Hides its constructor. */
    public static final class Hidden extends Loader {
        private Hidden() {}
    }

    /** Is no whole class. */
    public abstract static class Half extends Loader {}

    /** Tells whether it was used: its code fails. */
    public static final class Exploding extends Loader {
        static {
            explode();
        }

        private static void explode() {
            throw new IllegalStateException("used");
        }
    }

    private static Given caches(String setting, String value) {
        return Given.yaml("caches:", "  sale:", "    %s: %s".formatted(setting, value));
    }

    @Nested
    class Types {
        @ParameterizedTest
        @ValueSource(strings = {"keyType", "valueType", "loader", "writer", "codec"})
        void classThatIsNotThere_isAProblemAtItsPlace(String setting) {
            assertThat(caches(setting, "com.acme.Missing").problems())
                    .containsExactly(("keyslot.yaml:3:5: caches.sale.%s is \"com.acme.Missing\","
                                    + " must be on the class path of the cache manager")
                            .formatted(setting));
        }

        /** As for commands, which read the configuration of an application without having its classes. */
        @ParameterizedTest
        @ValueSource(strings = {"keyType", "valueType", "loader", "writer", "codec"})
        void classThatIsNotThere_isAccepted_withoutTheClassesOfApplications(String setting) {
            ClassLoader loader =
                    new ConfigurationLoader.WithoutApplications(getClass().getClassLoader());
            Properties properties = new Properties();
            properties.setProperty("keyslot.caches.sale." + setting, "com.acme.Missing");
            assertThat(ConfigurationLoader.read(Optional.empty(), loader, properties, name -> null)
                            .caches())
                    .containsOnlyKeys("sale");

            properties.setProperty("keyslot.caches.sale.codec", "jsn");
            assertThatThrownBy(() -> ConfigurationLoader.read(Optional.empty(), loader, properties, name -> null))
                    .as("a misspelled name")
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("caches.sale.codec is \"jsn\"");
        }

        @Test
        void classNamedByAVariable_isNotShown() {
            assertThat(caches("keyType", "${SECRET}")
                            .variable("SECRET", "tiger")
                            .problems())
                    .containsExactly("keyslot.yaml:3:5: caches.sale.keyType is \"${SECRET}\","
                            + " must be on the class path of the cache manager");
        }

        @Test
        void classThatNeedsAMissingOne_isAProblemThatNamesIt() {
            ClassLoader loader = new ClassLoader(null) {
                @Override
                protected Class<?> findClass(String name) {
                    throw new NoClassDefFoundError("com/acme/Base");
                }
            };
            Properties properties = new Properties();
            properties.setProperty("keyslot.caches.sale.loader", "com.acme.Derived");

            assertThatThrownBy(() -> ConfigurationLoader.read(Optional.empty(), loader, properties, name -> null))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageEndingWith("caches.sale.loader is \"com.acme.Derived\", must be a class that can be"
                            + " loaded: java.lang.NoClassDefFoundError: com/acme/Base");
        }
    }

    @Nested
    class Makers {
        @ParameterizedTest
        @CsvSource({"loader, Loader", "writer, Writer", "codec, TextCodec"})
        void classWithAPublicConstructor_isAccepted(String setting, String name) {
            assertThat(caches(setting, HERE + name).options().caches()).containsOnlyKeys("sale");
        }

        @ParameterizedTest
        @ValueSource(strings = {"WithParameter", "Hidden", "Half", "Writer"})
        void otherClass_isAProblem(String name) {
            assertThat(caches("loader", HERE + name).problems())
                    .containsExactly(("keyslot.yaml:3:5: caches.sale.loader is \"%s\","
                                    + " must be a CacheLoader with a public constructor without parameters")
                            .formatted(HERE + name));
        }

        @ParameterizedTest
        @CsvSource({"caches.sale.writer, CacheWriter", "caches.sale.codec, Codec", "codec.default, Codec"})
        void classOfAnotherKind_isAProblem(String setting, String expected) {
            assertThat(Given.yaml()
                            .property("keyslot." + setting, "java.lang.String")
                            .problems())
                    .containsExactly(("property keyslot.%s: %s is \"java.lang.String\","
                                    + " must be a %s with a public constructor without parameters")
                            .formatted(setting, setting, expected));
        }
    }
}
