// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.jcache.KeyslotCachingProvider;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.CacheManager;
import javax.tools.ToolProvider;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/test-kit.md compiles against what an application has, and passes. */
class TestingDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "test-kit.md");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void example_compilesAndPasses() throws Exception {
        Path source = Files.writeString(folder.resolve("CustomersTest.java"), example());
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", classPath(), "-d", folder.toString(), source.toString());
        assertThat(failures).isZero();

        assertThat(testsThatPass("CustomersTest")).containsExactly("partitionThatHangs_costsOneDeadline");
    }

    /** Runs the tests of the class as the extension would, each with a kit of its own. */
    private List<String> testsThatPass(String className) throws Exception {
        List<String> passed = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            Constructor<?> constructor = loader.loadClass(className).getDeclaredConstructor();
            constructor.setAccessible(true);
            for (Method test : constructor.getDeclaringClass().getDeclaredMethods()) {
                if (test.isAnnotationPresent(Test.class)) {
                    run(test, constructor.newInstance());
                    passed.add(test.getName());
                }
            }
        }
        return passed;
    }

    private static void run(Method test, Object instance) throws Exception {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            test.setAccessible(true);
            test.invoke(
                    instance,
                    Arrays.stream(test.getParameterTypes())
                            .map(type -> type == CacheManager.class ? keyslot.cacheManager() : keyslot)
                            .toArray());
        }
    }

    private static String classPath() {
        return Stream.of(CacheManager.class, KeyslotCachingProvider.class, EmbeddedKeyslot.class, Test.class, API.class)
                .map(TestingDocumentTest::placeOf)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError("A class without a place: " + type, e);
        }
    }

    private static String example() throws IOException {
        Matcher example = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
        assertThat(example.find()).as("docs/test-kit.md has an example").isTrue();
        return example.group(1);
    }
}
