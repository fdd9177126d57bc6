// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.LoadingOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingProblemsTest {
    @Test
    void severalProblems_areReportedAtOnceInTheOrderOfLinesAndPropertiesLast() {
        Given given = Given.yaml(
                        "engine: cloud",
                        "caches:",
                        "  customer: { ttl: 10m }",
                        "  sale:",
                        "    ttl: 10 parsecs",
                        "    groupdBy: customer",
                        "sharedInstances: perhaps")
                .property("keyslot.startup.wait", "soon");

        assertThat(given.failure())
                .hasMessage(String.join(
                        System.lineSeparator(),
                        "The configuration has 5 problems: test, overridden by keyslot.startup.wait",
                        "keyslot.yaml:1:1: engine is \"cloud\", must be one of embedded, instances, cluster",
                        "keyslot.yaml:5:5: caches.sale.ttl is \"10 parsecs\", must be a duration such as 10m, 1h or 250ms",
                        "keyslot.yaml:6:5: caches.sale.groupdBy is not a setting, did you mean groupedBy?",
                        "keyslot.yaml:7:1: sharedInstances is \"perhaps\", must be true or false",
                        "property keyslot.startup.wait: startup.wait is \"soon\","
                                + " must be a duration from 0ms to 10m, such as 250ms"));
    }

    /** Problems with their line and column; ⏎ begins a line. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            limits: { colour: 4 } | 1:11: limits.colour is not a setting, those here are batchKeys, keyBytes, valueBytes
            sharedInstances: true⏎namespace: shop⏎sharedInstances: false | 3:1: sharedInstances is given twice, first on line 1
            partitions:⏎  p1: { url: 'redis://127.0.0.1' } | 2:9: partitions.p1.url is not a setting, did you mean uri?
            namespace: [a, b] \
                | 1:1: namespace is a list, must be at most 64 letters from a to z, digits, '.', '-' or '_'
            sharedInstances: { on: true } | 1:1: sharedInstances is a mapping, must be true or false
            sharedInstances: | 1:1: sharedInstances is empty, must be true or false
            deadlines: 250ms⏎caches: 5 \
                | 1:1: deadlines is a single value, must be a mapping⏎2:1: caches is a single value, must be a mapping
            codec:⏎  allow:⏎    - com.acme.**⏎    - { a: b } \
                | 4:7: codec.allow is a mapping, must be a class such as com.acme.Sale, or a package such as com.acme.* \
            or com.acme.**
            near: { maximumEntries: 0 }⏎caches: { a: { ttl: 1h }, b: { ttl: 1h } } \
                | 1:9: near.maximumEntries is "0", must be a number from 1 to 999999999
            caches:⏎  sale:⏎    near:⏎      maximumEntries: 10⏎      maximumSize: 1MiB \
                | 5:7: caches.sale.near.maximumSize is given, but maximumEntries is given too: leave one of them away
            caches:⏎  sale:⏎    near: { maximumEntries: many } \
                | 3:13: caches.sale.near.maximumEntries is "many", must be a number from 1 to 999999999
            deadlines:⏎  call: 100ms⏎  command: 1s \
                | 3:3: deadlines.command is 1s, must not be longer than deadlines.call, which is 100ms
            caches:⏎  sale: { groupedBy: sale }⏎  a: { entityType: t, groupedBy: t } \
                | 2:11: caches.sale.groupedBy is the entity type of the cache itself, must be that of another⏎3:23: \
            caches.a.groupedBy is the entity type of the cache itself, must be that of another
            caches:⏎  sale: { groupedBy: customer }⏎  line: { groupedBy: sale } \
                | 3:11: caches.line.groupedBy is "sale", which is in a group itself: name the root of that group
            caches:⏎  sale: { expiry: eternal, ttl: 1h } \
                | 2:28: caches.sale.ttl is given, but expiry is eternal: leave one of them away
            caches:⏎  sale: { expiry: touched } | 2:11: caches.sale.expiry needs a ttl
            caches:⏎  sale: { readThrough: false, missingPartition: loader } \
                | 2:31: caches.sale.missingPartition is loader, which needs a cache that reads through, and readThrough \
            is false
            caches:⏎  sale:⏎    readThrough: false⏎    loading:⏎      negativeTtl: 1s⏎    missingPartition: loader \
                | 4:5: caches.sale.loading needs a cache that reads through, and readThrough is false⏎6:5: \
            caches.sale.missingPartition is loader, which needs a cache that reads through, and readThrough is false
            caches:⏎  sale:⏎    readThrough: yes⏎    writeThrough: yes⏎    loading: { bulkhead: 7 }⏎    writeBehind: true \
                | 3:5: caches.sale.readThrough is "yes", must be true or false⏎4:5: caches.sale.writeThrough is "yes", \
            must be true or false
            caches:⏎  sale:⏎    writeThrough: true⏎    writeBehind: \
                | 4:5: caches.sale.writeBehind is empty, must be true, false or a mapping
            caches:⏎  sale:⏎  sales: { entityType: sale } \
                | 3:12: caches.sales.entityType is "sale", as that of the cache sale: each cache needs its own
            engine: embedded⏎partitions: [ 'redis://127.0.0.1' ] \
                | 1:1: engine is embedded, but partitions have addresses: leave engine away, or leave the addresses away
            engine: instances \
                | 1:1: engine is instances, but there are no partitions: list their addresses under partitions
            engine: instances⏎partitions: 3 \
                | 2:1: partitions has no addresses, which engine instances needs: write redis://host:port for each
            connection: { username: app } \
                | 1:15: connection.username is set, but connection.password is not: a login needs both
            partitions:⏎  p1: redis://127.0.0.1⏎  p2: { weight: 2 } \
                | 3:3: partitions.p2 has no address, which engine instances needs
            partitions:⏎  p1: redis://HOST/0⏎  p2: rediss://host:6379/1 \
                | 3:3: partitions.p2 has the address of partitions.p1: each partition needs an instance of its own
            caches:⏎  a: { encryption: }⏎  b: { encryption: { previous: [] } } \
                | 2:8: caches.a.encryption.key is missing: name the file with the key, such as \
            ${file:/run/secrets/cache-key}⏎3:8: caches.b.encryption.key is missing: name the file with the key, such as \
            ${file:/run/secrets/cache-key}
            caches: { a: { encryption: { key: c2VjcmV0, previous: [ c2VjcmV0 ] } } } \
                | 1:30: caches.a.encryption.key is a secret that is not shown, must be the base64 of 32 bytes, as openssl \
            rand -base64 32 prints it⏎1:57: caches.a.encryption.previous is a secret that is not shown, must be the base64 \
            of 32 bytes, as openssl rand -base64 32 prints it
            caches: { a: { encryption: { key: '${file:/no/such/file}' } } } \
                | 1:30: caches.a.encryption.key names the file /no/such/file, which cannot be read (NoSuchFileException): \
            create it, or correct the name
            caches: { a: { encryption: { key: '${KEY}' } } } \
                | 1:30: caches.a.encryption.key needs the environment variable KEY, which is not set: set it, or write \
            ${KEY:default}
            caches: { a: { hashedKeys: c2VjcmV0 } } \
                | 1:16: caches.a.hashedKeys is a secret that is not shown, must be the base64 of 32 bytes, as openssl rand \
            -base64 32 prints it
            caches: { a: { compression: { from: 1 } }, b: { compression: fast } } \
                | 1:31: caches.a.compression.from is "1", must be a size from 64 to 512MiB, such as 64KiB or 8MiB⏎1:49: \
            caches.b.compression is "fast", must be true, false or a mapping
            caches: { a: { compression: { dictionary: mine } }, b: { compression: { dictionary: sampled }, encryption: { \
            key: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= } } } \
                | 1:31: caches.a.compression.dictionary is "mine", must be one of none, sampled⏎1:73: \
            caches.b.compression.dictionary is sampled, which stores pieces of values that are not encrypted: leave out \
            encryption or dictionary
            placements: { a: { list: { 1: p1 } } }⏎caches: { a: { hashedKeys: \
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= }, b: { groupedBy: a } } \
                | 1:1: placements has "a", whose keys are hashed, so that no id can be named: leave out the placement, or \
            hashedKeys⏎2:81: caches.b.groupedBy is "a", whose keys are hashed, so that it has no groups: leave out \
            groupedBy, or hashedKeys of a
            partitions: 0 | 1:1: partitions is "0", must be a number from 1 to 1000
            partitions: many \
                | 1:1: partitions is "many", must be a number from 1 to 1000, a list of addresses (redis://host:port), or a \
            mapping by name
            partitions: [] \
                | 1:1: partitions has no partition in it, must be a number from 1 to 1000, a list of addresses \
            (redis://host:port), or a mapping by name
            partitions: { 'p 1': 2 } \
                | 1:15: partitions.p 1 must have a name of 1 to 64 letters from a to z, digits, '.', '-' or '_'
            partitions: { p1: [ 1 ] } | 1:15: partitions.p1 is a list, must be a mapping
            partitions: [ { p1: 'redis://127.0.0.1' } ] \
                | 1:15: partitions has a mapping in its list, must be addresses
            partitions: { p1: { uri: [ 'redis://127.0.0.1' ] } } | 1:21: partitions.p1.uri is a list, must be an address
            partitions: { p1: , p2: { weight: -1 } } \
                | 1:27: partitions.p2.weight is "-1", \
            must be a number from 0 to 1000
            partitions:⏎  p1: redis://:${PW}@host⏎namespace: ${NS} \
                | 2:3: partitions.p1 needs the environment variable PW, which is not set: set it, or write \
            ${PW:default}⏎3:1: namespace needs the environment variable NS, which is not set: set it, or write \
            ${NS:default}
            """)
    void problem_isReportedAtItsPlace(String yaml, String problems) {
        assertThat(Given.yaml(yaml.replace('⏎', '\n')).problems())
                .containsExactly(Stream.of(problems.split("⏎"))
                        .map("keyslot.yaml:"::concat)
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "nodes, list the instances under partitions",
        "servers, list the instances under partitions",
        "timeout, use deadlines.call"
    })
    void keyOfOtherClients_getsAHint(String key, String hint) {
        assertThat(Given.yaml(key + ": 1").problems())
                .containsExactly("keyslot.yaml:1:1: %s is not used by Keyslot, %s".formatted(key, hint));
    }

    @Nested
    class Values {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "deadlines.call | 0ms | must be a duration from 1ms to 1h, such as 250ms",
                    "deadlines.connect | 2h | must be a duration from 1ms to 1h, such as 250ms",
                    "limits.keyBytes | 15 | must be a size from 16 to 8KiB, such as 64KiB or 8MiB",
                    "limits.valueBytes | 1GiB | must be a size from 64 to 512MiB, such as 64KiB or 8MiB",
                    "limits.batchKeys | 0 | must be a number from 1 to 1000000",
                    "groups.entries | 0 | must be a number from 1 to 999999999",
                    "groups.bytes | 1025GiB | must be a size from 1 to 1024GiB, such as 64KiB or 8MiB",
                    "embedded.maximumSize | 5MB | must be a size from 64KiB to 1024GiB, such as 64KiB or 8MiB",
                    "async.threads | 1025 | must be a number from 1 to 1024",
                    "startup.wait | 11m | must be a duration from 0ms to 10m, such as 250ms",
                    "codec.default | xml | must be one of default, kryo5, kryo, string, bytes, json, jdk, or the full name of a class",
                    "codec.allow | ** | must be a class such as com.acme.Sale, or a package such as com.acme.* or com.acme.**",
                    "namespace | a b | must be at most 64 letters from a to z, digits, '.', '-' or '_'",
                    "sharedInstances | yes | must be true or false",
                    "catalogue | etcd | must be one of configuration, instances",
                    "caches.sale.ttl | 0s | must be a duration such as 10m, 1h or 250ms",
                    "caches.sale.ttl | 1h30m | must be a duration such as 10m, 1h or 250ms",
                    "caches.sale.ttl | 1.5s | must be a duration such as 10m, 1h or 250ms",
                    "caches.sale.expiry | never | must be one of eternal, created, modified, accessed, touched",
                    "caches.sale.statistics | yes | must be true or false",
                    "caches.sale.indexed | yes | must be true or false",
                    "caches.sale.missingPartition | ignore | must be one of loader, miss, fail",
                    "loading.threads | 0 | must be a number from 1 to 10000",
                    "loading.threads | 10001 | must be a number from 1 to 10000",
                    "caches.sale.missingPartitionWrites | miss | must be one of fail, journal",
                    "caches.sale.writeBehind | on | must be true, false or a mapping",
                    "caches.sale.keyType | java.lang. | must be the full name of a class"
                })
        void badValue_isReportedWithItsRule(String path, String value, String rule) {
            assertThat(Given.yaml().property("keyslot." + path, value).problems())
                    .containsExactly("property keyslot.%s: %s is \"%s\", %s".formatted(path, path, value, rule));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "loading.timeout | 0ms | must be a duration from 1ms to 365d, such as 250ms",
                    "loading.patience | 366d | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.staleWhileRevalidate | -1s | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.staleIfError | 366d | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.negativeTtl | never | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.bulkhead | 10001 | must be a number from 1 to 10000",
                    "writeBehind.delay | 61m | must be a duration from 0ms to 1h, such as 250ms",
                    "writeBehind.queue | 0 | must be a number from 1 to 1000000",
                    "writeBehind.batch | 1000001 | must be a number from 1 to 1000000",
                    "writeBehind.attempts | 0 | must be a number from 1 to 1000000",
                    "near.maximumEntries | 0 | must be a number from 1 to 999999999",
                    "near.maximumEntries | 10MiB | must be a number from 1 to 999999999",
                    "near.maximumSize | 1023 | must be a size from 1KiB to 1024GiB, such as 64KiB or 8MiB"
                })
        void badValueOfACache_isReportedWithItsRule(String path, String value, String rule) {
            assertThat(throughCache()
                            .property("keyslot.caches.sale." + path, value)
                            .problems())
                    .containsExactly("property keyslot.caches.sale.%s: caches.sale.%s is \"%s\", %s"
                            .formatted(path, path, value, rule));
        }

        private static Given throughCache() {
            return Given.yaml("caches: { sale: { ttl: 1h, readThrough: true, writeThrough: true } }");
        }

        @Test
        void longValueWithLineBreaks_isShownShortAndOnOneLine() {
            String problem = Given.yaml("namespace: \"a\\nb" + "c".repeat(100) + '"')
                    .problems()
                    .get(0);

            assertThat(problem).contains("\"a b" + "c".repeat(77) + "…\"").doesNotContain("\n");
        }
    }

    @Nested
    class NearCaches {
        private static List<String> problemsOf(String... near) {
            return Given.yaml("caches:", "  sale:", "    near: " + String.join("\n      ", near))
                    .problems();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "staleness | 0ms | must be a duration from 10ms to 1m, such as 250ms",
                    "staleness | 9ms | must be a duration from 10ms to 1m, such as 250ms",
                    "staleness | 61s | must be a duration from 10ms to 1m, such as 250ms",
                    "staleness | 2 | must be a duration from 10ms to 1m, such as 250ms",
                    "values | reference | must be one of copy, shared",
                    "whenMissing | serve | 'must be drop, or a mapping such as serve: 30s'",
                    "whenMissing | 30s | 'must be drop, or a mapping such as serve: 30s'"
                })
        void badValue_isReportedWithItsPlaceAndItsRule(String key, String value, String rule) {
            assertThat(problemsOf("", "maximumEntries: 10", key + ": " + value))
                    .containsExactly("keyslot.yaml:5:7: caches.sale.near.%s is \"%s\", %s".formatted(key, value, rule));
        }

        @Test
        void maximumOfAPropertyBesideThatOfTheFile_isAProblem() {
            assertThat(Given.yaml("caches: { sale: { near: { maximumEntries: 10 } } }")
                            .property("keyslot.caches.sale.near.maximumSize", "1MiB")
                            .problems())
                    .containsExactly(
                            "property keyslot.caches.sale.near.maximumSize: caches.sale.near.maximumSize is given,"
                                    + " but maximumEntries is given too: leave one of them away");
        }

        @ParameterizedTest
        @ValueSource(strings = {"{}", "{ staleness: 1s }"})
        void noMaximum_isAProblem(String near) {
            assertThat(problemsOf(near))
                    .containsExactly("keyslot.yaml:3:5: caches.sale.near needs maximumEntries or maximumSize");
        }

        @ParameterizedTest
        @CsvSource({"true, '\"true\"'", "10000, '\"10000\"'", "'', empty", "[ 1 ], a list"})
        void anythingButAMapping_isAProblem(String near, String shown) {
            assertThat(problemsOf(near))
                    .containsExactly("keyslot.yaml:3:5: caches.sale.near is " + shown
                            + ", must be false, or a mapping with maximumEntries or maximumSize");
        }

        @ParameterizedTest
        @CsvSource({
            "maxEntries, did you mean maximumEntries?",
            "maxSize, did you mean maximumSize?",
            "max-size, did you mean maximumSize?",
            "stale, 'those here are maximumEntries, maximumSize, staleness, values, whenMissing'"
        })
        void unknownKey_isAProblemWithAHint(String key, String hint) {
            assertThat(problemsOf("{ maximumEntries: 10, " + key + ": 10 }"))
                    .containsExactly("keyslot.yaml:3:33: caches.sale.near." + key + " is not a setting, " + hint);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{} | near.whenMissing is empty, must be drop, or a mapping such as serve: 30s",
                    "{ serve: 0ms } | near.whenMissing.serve is \"0ms\", must be a duration from 1ms to 1d, such as 250ms",
                    "{ serve: 2d } | near.whenMissing.serve is \"2d\", must be a duration from 1ms to 1d, such as 250ms",
                })
        void servingWithoutABound_isAProblem(String whenMissing, String problem) {
            assertThat(problemsOf("{ maximumEntries: 10, whenMissing: " + whenMissing + " }"))
                    .singleElement()
                    .asString()
                    .startsWith("keyslot.yaml:3:")
                    .endsWith(": caches.sale." + problem);
        }
    }

    @Nested
    class CachesThatContradict {
        @Test
        void settingsThatNeedReadThrough_areNoProblemsIfItIsLeftToTheApplication() {
            assertThat(Given.yaml("caches:", "  sale: { loading: { negativeTtl: 1s }, missingPartition: loader }")
                            .options()
                            .cache("sale")
                            .loading())
                    .isEqualTo(LoadingOptions.defaults().withNegativeTimeToLive(Duration.ofSeconds(1)));
        }

        @ParameterizedTest
        @ValueSource(strings = {"staleWhileRevalidate: 1m", "staleIfError: 1m"})
        void staleValuesOfEternalEntries_areAProblem(String setting) {
            assertThat(Given.yaml("caches:", "  sale:", "    expiry: eternal", "    loading:", "      " + setting)
                            .problems())
                    .containsExactly("keyslot.yaml:5:7: caches.sale.loading.%s needs entries that expire:"
                                    .formatted(setting.split(":", 2)[0])
                            + " if expiry is eternal, no value becomes stale");
        }

        @ParameterizedTest
        @ValueSource(strings = {"accessed", "touched"})
        void staleValuesWithExpiryThatMoves_areProblems(String expiry) {
            String rule = " needs expiry created or modified: otherwise every access moves the moment at which a value"
                    + " becomes stale";

            assertThat(Given.yaml(
                                    "caches:",
                                    "  sale:",
                                    "    ttl: 1h",
                                    "    expiry: " + expiry,
                                    "    readThrough: true",
                                    "    loading:",
                                    "      staleWhileRevalidate: 1m",
                                    "      staleIfError: 1m")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:7:7: caches.sale.loading.staleWhileRevalidate" + rule,
                            "keyslot.yaml:8:7: caches.sale.loading.staleIfError" + rule);
        }

        @Test
        void staleValuesThatAreSwitchedOff_needNothing() {
            assertThat(Given.yaml(
                                    "caches:",
                                    "  sale:",
                                    "    readThrough: true",
                                    "    loading: { staleWhileRevalidate: 0s, staleIfError: 0s }")
                            .options()
                            .cache("sale")
                            .loading())
                    .isEqualTo(LoadingOptions.defaults());
        }

        @ParameterizedTest
        @ValueSource(strings = {"true", "{ queue: 7 }", "{}"})
        void writeBehindWithoutWriteThrough_isAProblem(String writeBehind) {
            assertThat(Given.yaml("caches:", "  sale: { writeThrough: false, writeBehind: " + writeBehind + " }")
                            .problems())
                    .containsExactly("keyslot.yaml:2:32: caches.sale.writeBehind needs a cache that writes through,"
                            + " and writeThrough is false");
        }
    }

    @Test
    void login_isForAddressesThatDoNotSayIt() {
        assertThat(Given.yaml("connection: { password: secret }", "partitions: [ 'redis://a', 'redis://u:own@b' ]")
                        .options()
                        .partitions())
                .extracting(partition -> Objects.requireNonNull(partition.uri()).password())
                .containsExactly("secret", "own");
    }

    @Test
    void weightsTooFarApart_areAProblem() {
        StringBuilder heavy = new StringBuilder("partitions: { light: { weight: 1 }");
        for (int number = 0; number < 40; number++) {
            heavy.append(", h").append(number).append(": { weight: 1000 }");
        }

        assertThat(Given.yaml(heavy + " }").problems())
                .containsExactly("keyslot.yaml:1:15: partitions.light would own no slot:"
                        + " its weight is too small beside those of the others");
    }
}
