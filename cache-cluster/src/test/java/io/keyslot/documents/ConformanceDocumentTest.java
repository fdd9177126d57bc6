// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.jcache.EmbeddedConformanceTest;
import io.keyslot.it.ServersConformance;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds {@code docs/contributing/jcache-conformance.md} and the tests together. */
class ConformanceDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "contributing", "jcache-conformance.md");
    private static final Pattern TEST = Pattern.compile("`([A-Za-z.]+#[A-Za-z_]+)`");
    private static final List<String> PACKAGES = List.of(
            "io.keyslot.client.jcache",
            "io.keyslot.behaviour",
            "io.keyslot.it",
            "io.keyslot.it.fault",
            "io.keyslot.tck",
            "org.jsr107.tck",
            "org.jsr107.tck.event",
            "org.jsr107.tck.expiry",
            "org.jsr107.tck.integration",
            "org.jsr107.tck.management",
            "org.jsr107.tck.processor",
            "org.jsr107.tck.spi");

    @Test
    void everyTestOfTheDocument_exists() throws IOException {
        assertThat(namedTests()).hasSizeGreaterThan(150).allMatch(ConformanceDocumentTest::exists);
    }

    @Test
    void everyConformanceTest_isInTheDocument() throws IOException {
        Set<String> tests = Arrays.stream(ServersConformance.class.getDeclaredClasses())
                .<Class<?>>map(Class::getSuperclass)
                .flatMap(suite -> Stream.concat(Stream.of(suite), Arrays.stream(suite.getDeclaredClasses())))
                .flatMap(ConformanceDocumentTest::testsOf)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(tests).hasSizeGreaterThan(150);
        assertThat(namedTests()).containsAll(tests);
    }

    @Test
    void bothEngines_runTheSameConformanceTests() {
        assertThat(suitesOf(ServersConformance.class)).isEqualTo(suitesOf(EmbeddedConformanceTest.class));
    }

    private static Set<String> suitesOf(Class<?> engine) {
        return Arrays.stream(engine.getDeclaredClasses())
                .map(nested -> nested.getSuperclass().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> namedTests() throws IOException {
        return TEST.matcher(Files.readString(DOCUMENT))
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> testsOf(Class<?> type) {
        String name =
                type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class))
                .map(method -> name + "#" + method.getName());
    }

    private static boolean exists(String test) {
        String[] parts = test.split("#", 2);
        return PACKAGES.stream()
                .map(inPackage -> load(inPackage + "." + parts[0].replace('.', '$')))
                .flatMap(Optional::stream)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .map(Method::getName)
                .anyMatch(parts[1]::equals);
    }

    private static Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(name, false, ConformanceDocumentTest.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }
}
