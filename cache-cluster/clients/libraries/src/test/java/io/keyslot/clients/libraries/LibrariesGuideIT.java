// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples of {@code docs/clients.md} compile, but for classes of Micronaut and Quarkus, which are not on the class
 * path. What they do is tried by the other tests.
 */
class LibrariesGuideIT {
    private static final Path GUIDE = Path.of("../../../docs/clients.md");
    private static final int EXAMPLES = 6;

    private static final String BEFORE = """
            import io.github.bucket4j.distributed.proxy.ProxyManager;
            import io.github.bucket4j.grid.jcache.Bucket4jJCache;
            import java.util.function.Function;
            import javax.cache.configuration.MutableConfiguration;
            import org.apache.shiro.cache.jcache.JCacheManager;

            class Example {
                record Order(long id) {}

                Order load() {
                    return new Order(1);
                }

                void example(javax.cache.CacheManager manager) {
            """;

    private static final String AFTER = "    }\n}\n";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void examples_areFound() throws IOException {
        assertThat(examples()).hasSize(EXAMPLES);
    }

    static Stream<String> examples() throws IOException {
        return Arrays.stream(Files.readString(GUIDE).split("```java\n")).skip(1).map(rest -> rest.split("```", 2)[0]);
    }

    private static String sourceOf(String example) {
        if (example.startsWith("import ")) {
            return example + "record Book(long id, String title) {}\n";
        }
        String cache = example.contains("Cache.of(") ? "io.github.resilience4j.cache.Cache" : "javax.cache.Cache";
        return "import " + cache + ";\n" + BEFORE + example + AFTER;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void example_compiles(String example) throws IOException {
        Path source = Files.writeString(folder.resolve("Example.java"), sourceOf(example));
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", folder.toString(), source.toString());

        assertThat(failures).isZero();
    }
}
