// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes that people make in a configuration: where it is, what is wrong, and what to write instead. */
class MistakesTest {
    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake(
                        "a line that is indented otherwise",
                        Given.yaml("partitions:", "  - redis://a", " - redis://b"),
                        "check the indentation"),
                mistake(
                        "a value with a colon",
                        Given.yaml("namespace: a: b"),
                        "check the indentation, or put texts with special characters into quotes"),
                mistake("a TAB", Given.yaml("caches:", "\tcustomer: { ttl: 1m }"), "a TAB cannot stand here"),
                mistake(
                        "keys as Spring writes them",
                        Given.yaml("caches:", "  c: { read-through: true, time-to-live: 1m }"),
                        "caches.c.read-through is not a setting, did you mean readThrough?",
                        "caches.c.time-to-live is not used by Keyslot, use ttl of the cache"),
                mistake(
                        "keys of Redisson",
                        Given.yaml("singleServerConfig:", "  address: redis://a"),
                        "singleServerConfig is not used by Keyslot, list the instances under partitions"),
                mistake(
                        "a largest size of a cache",
                        Given.yaml("caches:", "  c: { maxSize: 100 }"),
                        "set maxmemory and a maxmemory-policy at the instances"),
                mistake("several misspelt keys", Given.yaml("partitons: 3", "cache: x"), "partitions?", "caches?"),
                mistake("a letter beyond a to z", Given.yaml("namespace: läden"), "64 letters from a to z"),
                mistake(
                        "a cache by the name of what is ours",
                        Given.yaml("caches:", "  keyslot: { ttl: 1m }"),
                        "caches.keyslot.entityType is \"keyslot\", which Keyslot uses itself"),
                mistake(
                        "a meter registry as text",
                        Given.yaml("metrics: true").property("keyslot.meterRegistry", "x"),
                        "property keyslot.meterRegistry: is text, must be the object itself"),
                mistake(
                        "TLS by a setting",
                        Given.yaml("ssl: true"),
                        "ssl is not used by Keyslot, write rediss:// in the address, and see tls"));
    }

    private static Arguments mistake(String name, Given given, String... said) {
        return Arguments.of(name, given, List.of(said));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void mistake_isExplainedWhereItIs(String name, Given given, List<String> said) {
        List<String> problems = given.problems();

        assertThat(String.join("\n", problems)).contains(said);
        assertThat(problems)
                .as(name)
                .allSatisfy(problem -> assertThat(problem)
                        .matches("(?s)(keyslot\\.yaml:\\d+:\\d+|property [\\w.]+): .*")
                        .doesNotContain("…"));
    }

    @ParameterizedTest
    @MethodSource("othersSpelling")
    void spellingWithDashes_isTheSameWord(String written, String meant) {
        assertThat(Given.yaml(written + ": 1").problems())
                .singleElement()
                .asString()
                .endsWith("%s is not a setting, did you mean %s?".formatted(written, meant));
    }

    static Stream<Arguments> othersSpelling() {
        return Setting.keysIn("").stream()
                .filter(key -> !key.equals(key.toLowerCase(java.util.Locale.ROOT)))
                .map(key -> Arguments.of(key.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT), key));
    }
}
