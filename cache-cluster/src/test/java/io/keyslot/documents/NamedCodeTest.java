// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes, members and tests that the documents name exist. */
@SuppressWarnings("NullAway.Init") // set before all tests
class NamedCodeTest {
    /** {@code `Name`}, {@code `Name.member`}, {@code `Outer.Nested.member(…)`}. All in capitals is a word of others. */
    private static final Pattern NAME =
            Pattern.compile("`([A-Z](?=[A-Za-z0-9]*[a-z])[A-Za-z0-9]*(?:\\.[A-Za-z_][A-Za-z_0-9]*)*)(?:\\([^`]*\\))?`");

    /** {@code `ATest`: `one_test`, `another`}. */
    private static final Pattern TESTS = Pattern.compile(
            "`([A-Z]\\w*(?:Test|IT|Contract|Conformance))`:\\s+(`\\w+`(?:(?:,|\\s+and)\\s+`[a-z]\\w+`)*)");

    private static final Pattern SCRIPT = Pattern.compile("`(\\w+\\.lua)`");

    private static final List<String> OTHER_PACKAGES = List.of(
            "java.lang.",
            "java.io.",
            "java.math.",
            "java.net.",
            "java.nio.file.",
            "java.sql.",
            "java.text.",
            "java.time.",
            "java.time.temporal.",
            "java.util.",
            "java.util.concurrent.",
            "java.util.concurrent.atomic.",
            "java.util.function.",
            "java.util.stream.",
            "javax.cache.",
            "javax.cache.configuration.",
            "javax.cache.event.",
            "javax.cache.expiry.",
            "javax.cache.integration.",
            "javax.cache.processor.",
            "org.springframework.cache.",
            "org.springframework.cache.interceptor.",
            "reactor.core.publisher.",
            "org.springframework.cache.support.",
            "io.micrometer.core.instrument.",
            "io.micrometer.observation.",
            "io.lettuce.core.");

    /** Names of other software, of examples and of units, that look like those of classes. */
    private static final Set<String> OTHER_WORDS = Set.of(
            "Ada",
            "GiB",
            "KiB",
            "MiB",
            "Color.RED",
            "DefaultExchangeHolder",
            "Id.CLASS",
            "Id.NAME",
            "RLocalCachedMap",
            "RedisCache",
            "SimpleAuthenticationInfo",
            "NaN",
            "SimpleAuthorizationInfo",
            "SimpleByteSource",
            "SimpleEntry",
            "SimpleImmutableEntry",
            "SimplePrincipalCollection",
            "SimpleSession",
            "WildcardPermission");

    /** Fewer would mean that the expressions find nothing any more. */
    private static final int FEWEST_NAMES = 200;

    private static ProjectCode code;

    @BeforeAll
    static void readCode() throws IOException {
        code = ProjectCode.read();
    }

    @Test
    void codeAndNames_areFound() throws IOException {
        int names = 0;
        for (Path document : Documents.all()) {
            names += namesIn(document).size();
        }

        assertThat(code.size()).isGreaterThan(900);
        assertThat(names).isGreaterThan(FEWEST_NAMES);
    }

    @Test
    void whatIsNotThere_isNoticed() {
        assertThat(code.has("PartitionRouter.send")).isTrue();
        assertThat(code.has("Command.Get")).isTrue();
        assertThat(code.has("PartitionRouter.sendTwice")).isFalse();
        assertThat(code.has("NoSuchClass")).isFalse();
        assertThat(code.hasTest("NamedCodeTest", "whatIsNotThere_isNoticed")).isTrue();
        assertThat(code.hasTest("NamedCodeTest", "readCode")).isFalse();
        assertThat(code.hasTest("NamedCodeTest", "noSuchTest")).isFalse();
    }

    static Stream<Path> documents() throws IOException {
        return Documents.all().stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void classesAndMembers_exist(Path document) throws IOException {
        assertThat(namesIn(document))
                .allSatisfy(name ->
                        assertThat(isKnown(name)).as("%s of %s", name, document).isTrue());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void tests_exist(Path document) throws IOException {
        for (MatchResult named : resultsOf(TESTS, document)) {
            String type = named.group(1);
            assertThat(Arrays.stream(named.group(2).split("`(?:,|\\s+and)?\\s*`|`"))
                            .map(String::strip)
                            .filter(test -> !test.isEmpty()))
                    .isNotEmpty()
                    .allSatisfy(test -> assertThat(code.hasTest(type, test))
                            .as("%s: %s of %s", type, test, document)
                            .isTrue());
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void scripts_exist(Path document) throws IOException {
        List<String> scripts = scripts();
        assertThat(resultsOf(SCRIPT, document))
                .allSatisfy(named -> assertThat(scripts).contains(named.group(1)));
    }

    private static List<String> namesIn(Path document) throws IOException {
        return resultsOf(NAME, document).stream()
                .map(result -> result.group(1))
                .filter(name -> !name.contains(".class") && !OTHER_WORDS.contains(name))
                .toList();
    }

    private static List<MatchResult> resultsOf(Pattern pattern, Path document) throws IOException {
        return pattern.matcher(Documents.textOf(document)).results().toList();
    }

    private static boolean isKnown(String name) {
        return code.has(name) || OTHER_PACKAGES.stream().anyMatch(among -> isOther(among, List.of(name.split("\\."))));
    }

    private static boolean isOther(String inPackage, List<String> names) {
        try {
            Class<?> type = Class.forName(inPackage + names.get(0), false, NamedCodeTest.class.getClassLoader());
            return names.size() == 1 || hasMember(type, names.get(1));
        } catch (ClassNotFoundException | LinkageError elsewhere) {
            return false;
        }
    }

    private static boolean hasMember(Class<?> type, String name) {
        List<String> members = new ArrayList<>();
        Arrays.stream(type.getMethods()).forEach(method -> members.add(method.getName()));
        Arrays.stream(type.getFields()).forEach(field -> members.add(field.getName()));
        Arrays.stream(type.getClasses()).forEach(nested -> members.add(nested.getSimpleName()));
        return members.contains(name);
    }

    private static List<String> scripts() throws IOException {
        try (Stream<Path> files =
                Files.walk(Documents.ROOT.resolve("cache-client").resolve("src"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".lua"))
                    .toList();
        }
    }
}
