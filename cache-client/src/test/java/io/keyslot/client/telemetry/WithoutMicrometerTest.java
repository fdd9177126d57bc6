// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.jcache.KeyslotCachingProvider;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** Micrometer is optional: a client works on a class path that does not have it. */
class WithoutMicrometerTest {
    /** Everything that the test has, but for Micrometer. */
    private static final class Hiding extends URLClassLoader {
        Hiding() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() {
            return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                    .splitAsStream(System.getProperty("java.class.path"))
                    .flatMap(Hiding::url)
                    .toArray(URL[]::new);
        }

        private static Stream<URL> url(String path) {
            try {
                return Stream.of(new File(path).toURI().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("io.micrometer.")) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }

    /** Uses a cache; runs behind the loader that hides Micrometer. */
    public static final class RoundTrip implements Supplier<String> {
        @Override
        public String get() {
            try (KeyslotCachingProvider provider = new KeyslotCachingProvider()) {
                Cache<String, String> cache =
                        provider.getCacheManager().createCache("customer", new MutableConfiguration<String, String>());
                cache.put("key", "value");
                return cache.get("key");
            }
        }
    }

    @Test
    void client_works() throws Exception {
        try (Hiding loader = new Hiding()) {
            assertThatThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.MeterRegistry"))
                    .isInstanceOf(ClassNotFoundException.class);

            Object roundTrip =
                    loader.loadClass(RoundTrip.class.getName()).getConstructor().newInstance();

            assertThat(((Supplier<?>) roundTrip).get()).isEqualTo("value");
        }
    }
}
