// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two versions of an application, during a deployment, with the defaults: each reads what the other one has put. */
@SideBySide
class GrowingClassesIT {
    private static final String BEFORE =
            "public record Order(String id, int count) { public static Order sample() { return new Order(\"a\", 1); } }";
    private static final String AFTER = """
            public record Order(String id, Status status, int count) {
              enum Status { OPEN }
              public static Order sample() { return new Order("b", Status.OPEN, 2); }
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void twoVersions_missNothingOfEachOther() throws Exception {
        try (TestServers servers = TestServers.start(2);
                URLClassLoader older = compiled("before", BEFORE);
                URLClassLoader newer = compiled("after", AFTER);
                CacheManager old = open(servers, older);
                CacheManager young = open(servers, newer)) {
            Cache<String, Object> oldOrders = orders(old);
            Cache<String, Object> newOrders = orders(young);

            oldOrders.put("old", sampleOf(older));
            newOrders.put("new", sampleOf(newer));

            assertThat(newOrders.get("old")).hasToString("Order[id=a, status=null, count=1]");
            assertThat(oldOrders.get("new")).hasToString("Order[id=b, count=2]");
            assertThat(newOrders.get("new")).hasToString("Order[id=b, status=OPEN, count=2]");
        }
    }

    private static CacheManager open(TestServers servers, ClassLoader loader) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        properties.setProperty("keyslot.codec.allow", "shop.*");
        return Caching.getCachingProvider(GrowingClassesIT.class.getClassLoader())
                .getCacheManager(URI.create("keyslot:growing"), loader, properties);
    }

    private static Cache<String, Object> orders(CacheManager manager) {
        return manager.createCache(
                "orders", new MutableConfiguration<String, Object>().setTypes(String.class, Object.class));
    }

    private static Object sampleOf(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass("shop.Order").getMethod("sample").invoke(null);
    }

    private URLClassLoader compiled(String version, String source) throws IOException {
        Path classes = directory.resolve(version);
        Path file = Files.createDirectories(classes).resolve("Order.java");
        Files.writeString(file, "package shop;\n" + source);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        int result = compiler.run(null, null, null, "-proc:none", "-d", classes.toString(), file.toString());
        assertThat(result).isZero();
        return new URLClassLoader(new URL[] {classes.toUri().toURL()}, GrowingClassesIT.class.getClassLoader());
    }
}
