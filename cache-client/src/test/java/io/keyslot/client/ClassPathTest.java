// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.jcache.KeyslotCachingProvider;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** Clients on other class paths than that of the tests. */
class ClassPathTest {
    /** Everything that the test has, but for the classes whose names start so. */
    private static final class Hiding extends URLClassLoader {
        private final String hidden;

        Hiding(String hidden) {
            super(classPath(), ClassLoader.getPlatformClassLoader());
            this.hidden = hidden;
        }

        Object newInstance(Class<?> type) throws ReflectiveOperationException {
            return loadClass(type.getName()).getConstructor().newInstance();
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
            if (name.startsWith(hidden)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }

    /** Uses a cache; runs behind the loader. */
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

    /** Starts a manager with a server; returns why it did not start. */
    public static final class Refused implements Supplier<String> {
        @Override
        public String get() {
            Properties properties = new Properties();
            properties.setProperty("keyslot.partitions", "redis://127.0.0.1:1");
            try (KeyslotCachingProvider provider = new KeyslotCachingProvider();
                    CacheManager started = provider.getCacheManager(null, null, properties)) {
                return "started: " + started;
            } catch (CacheException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    @Test
    void clientWithoutMicrometer_works() throws Exception {
        try (Hiding loader = new Hiding("io.micrometer.")) {
            assertThatThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.MeterRegistry"))
                    .isInstanceOf(ClassNotFoundException.class);

            assertThat(((Supplier<?>) loader.newInstance(RoundTrip.class)).get())
                    .isEqualTo("value");
        }
    }

    /** Netty 4.1 does not have the class. */
    @Test
    void lettuceWithAnOlderNetty_isRefusedAtTheStart() throws Exception {
        try (Hiding loader = new Hiding("io.netty.channel.MultiThreadIoEventLoopGroup")) {
            assertThat((String) ((Supplier<?>) loader.newInstance(Refused.class)).get())
                    .startsWith("The class path has Lettuce 7")
                    .contains("with Netty ")
                    .contains("Select Lettuce 7 with Netty 4.2, or Lettuce 6.8 with Netty 4.1");
        }
    }
}
