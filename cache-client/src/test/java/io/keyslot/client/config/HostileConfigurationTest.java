// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a file or a property holds, the outcome is a configuration or a {@link ConfigurationException}. */
class HostileConfigurationTest {
    private static final long SEED = 20261122;
    private static final int MUTATIONS = 500;
    private static final String VALID = """
            namespace: shop
            partitions:
              p1: { uri: 'redis://:${PASSWORD:tiger}@127.0.0.1:7001/0', weight: 2 }
              p2: { uri: "redis://127.0.0.1:7002" }
            deadlines: { call: 500ms, command: 200ms, connect: 2s }
            async: { threads: 4 }
            codec:
              allow:
                - com.acme.shop.*
                - com.acme.Order
            caches:
              customer: { ttl: 1h, codec: jdk }
              sale: |
                text
              default:
                idle: 10m # a comment
            """;

    /** Pieces of which YAML is made, so that a mutation has a meaning now and then. */
    private static final List<String> PIECES = List.of(
            "[",
            "]",
            "{",
            "}",
            "- ",
            "? ",
            ": ",
            "\n",
            "\n  ",
            "&a ",
            "*a",
            "<<: *a",
            "!!map ",
            "!<tag> ",
            "|\n",
            ">\n",
            "'",
            "\"",
            "#",
            "%YAML 1.2\n---\n",
            "---\n",
            "...\n",
            "\\x",
            "\\uD800",
            "${",
            "${A",
            "}",
            "$${",
            "@",
            "`",
            "\t",
            "\u0000",
            "\u0085",
            "\uFEFF",
            "null",
            "~",
            "1e400",
            ".nan",
            "0x",
            "default",
            "caches:",
            "9999999999999999999");

    @Test
    void validFile_isRead() {
        // The base of the mutations must be one that gets past the parser.
        assertThat(problemsOf(VALID)).noneMatch(problem -> problem.contains("YAML"));
    }

    static Stream<IntFunction<String>> nestings() {
        return Stream.of(
                depth -> "[".repeat(depth),
                depth -> "[".repeat(depth) + "]".repeat(depth),
                depth -> "caches: " + "{a: ".repeat(depth) + "1" + "}".repeat(depth),
                depth -> "- ".repeat(depth) + "a",
                depth -> "? ".repeat(depth) + "a",
                depth -> "caches:\n"
                        + IntStream.range(1, Math.min(depth, 1_400))
                                .mapToObj(level -> " ".repeat(level) + "a:\n")
                                .collect(Collectors.joining()),
                depth -> "[{a: ".repeat(depth));
    }

    @ParameterizedTest
    @MethodSource("nestings")
    void depth_isAProblemAndNotAnError(IntFunction<String> nesting) {
        for (int depth : new int[] {100, 1_000, 20_000, 170_000}) {
            assertThat(problemsOf(nesting.apply(depth))).as("depth %d", depth).isNotEmpty();
        }
    }

    @Test
    void depth_isToldWithItsPlace() {
        assertThat(problemsOf("a: " + "[".repeat(20_000)))
                .singleElement()
                .asString()
                .startsWith("keyslot.yaml:1:")
                .contains("is nested deeper than 32, which no setting is");
    }

    @Test
    void aliasesOfAliases_areNotFollowed() {
        String laughs = IntStream.range(0, 1_000)
                .mapToObj(level -> "a%1$d: &a%1$d [ %2$s ]%n"
                        .formatted(level, level == 0 ? "ha, ha" : "*a%1$d , *a%1$d".formatted(level - 1)))
                .collect(Collectors.joining());

        assertThat(problemsOf(laughs)).isNotEmpty();
        assertThat(problemsOf("a: &a { <<: *a }")).isNotEmpty();
        assertThat(problemsOf("&a [ *a, *a ]")).isNotEmpty();
    }

    @Test
    void hugeTexts_areProblemsOfTheirSetting() {
        String huge = "x".repeat(200_000);

        assertThat(problemsOf("namespace: " + huge)).isNotEmpty();
        assertThat(problemsOf(huge + ": 1")).isNotEmpty();
        assertThat(problemsOf("async: { threads: " + "9".repeat(200_000) + " }"))
                .isNotEmpty();
        assertThat(problemsOf("caches: { a: { ttl: " + "9".repeat(200_000) + "h } }"))
                .isNotEmpty();
        assertThat(problemsOf("async: { threads: '" + "${A:1}".repeat(30_000) + "' }"))
                .isNotEmpty();
        assertThat(problemsOf("partitions: { p1: 'redis://" + huge + "' }")).isNotEmpty();
        assertThat(problemsOf("partitions: { p1: 'redis://" + "${".repeat(100_000) + "' }"))
                .isNotEmpty();
        assertThat(problemsOf("x".repeat(1 << 20) + "y")).isNotEmpty();
    }

    @Test
    void thousandsOfProblems_areCountedAndNotAllListed() {
        ConfigurationException failure = failureOf("a: 1\n".repeat(20_000));

        assertThat(failure).hasMessageContaining("20000 problems").hasMessageContaining("19900 more");
        assertThat(failure.problems()).hasSize(101);
    }

    @Test
    void keysOfPropertiesWithAnyNumberOfDots_areProblems() {
        Properties deep = new Properties();
        deep.setProperty("keyslot." + "a.".repeat(100_000), "1");
        deep.setProperty("keyslot.caches" + ".".repeat(100_000), "1");
        deep.setProperty("keyslot.partitions" + ".uri".repeat(100_000), "1");

        assertThat(catching("", deep)).isNotNull();
    }

    @Test
    void mutatedFiles_giveAConfigurationOrAConfigurationException() {
        Random random = new Random(SEED);
        for (int round = 0; round < MUTATIONS; round++) {
            String text = mutated(random);
            int at = round;
            assertThatNoException()
                    .as(() -> "seed %d, round %d:%n%s".formatted(SEED, at, text))
                    .isThrownBy(() -> catching(text, new Properties()));
        }
    }

    @Test
    void anyBytes_giveAConfigurationOrAConfigurationException() {
        Random random = new Random(SEED);
        for (int round = 0; round < MUTATIONS; round++) {
            byte[] bytes = random.nextBoolean() ? new byte[random.nextInt(64)] : VALID.getBytes(StandardCharsets.UTF_8);
            if (bytes.length < 64) {
                random.nextBytes(bytes);
            } else {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int at = round;
            assertThatNoException()
                    .as("seed %d, round %d", SEED, at)
                    .isThrownBy(() -> catching(bytes, new Properties()));
        }
    }

    private static String mutated(Random random) {
        StringBuilder text = new StringBuilder(VALID);
        for (int change = random.nextInt(6); change >= 0; change--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + random.nextInt(20));
            switch (random.nextInt(4)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, text.substring(at, end).repeat(random.nextInt(40)));
                case 2 ->
                    text.insert(at, PIECES.get(random.nextInt(PIECES.size())).repeat(1 + random.nextInt(60)));
                default -> text.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
            }
            if (text.isEmpty()) {
                return "";
            }
        }
        return text.toString();
    }

    private static List<String> problemsOf(String text) {
        ConfigurationException failure = catching(text, new Properties());
        return failure == null ? List.of() : new ArrayList<>(failure.problems());
    }

    private static ConfigurationException failureOf(String text) {
        ConfigurationException failure = catching(text, new Properties());
        assertThat(failure).isNotNull();
        return failure;
    }

    private static @Nullable ConfigurationException catching(String text, Properties properties) {
        return catching(text.getBytes(StandardCharsets.UTF_8), properties);
    }

    /** Reads the file as the loader does; anything that is not a configuration's problem gets out. */
    private static @Nullable ConfigurationException catching(byte[] content, Properties properties) {
        try {
            Optional<ConfigurationFile> file = content.length == 0 ? Optional.empty() : Optional.of(fileOf(content));
            ConfigurationLoader.read(
                    file, HostileConfigurationTest.class.getClassLoader(), properties, Map.<String, String>of()::get);
            return null;
        } catch (ConfigurationException expected) {
            return expected;
        }
    }

    private static ConfigurationFile fileOf(byte[] content) {
        try {
            return new ConfigurationFile("keyslot.yaml", "test", new ByteArrayInputStream(content));
        } catch (IOException e) {
            throw new ConfigurationException("too large", new UncheckedIOException(e));
        }
    }
}
