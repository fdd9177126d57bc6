// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.client.config.Deadlines;
import java.time.Duration;
import java.util.List;
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
                        "metrics: perhaps")
                .property("keyslot.startup.wait", "soon");

        assertThat(given.failure())
                .hasMessage(String.join(
                        System.lineSeparator(),
                        "The configuration has 5 problems: test, overridden by keyslot.startup.wait",
                        "keyslot.yaml:1:1: engine is \"cloud\", must be one of embedded, instances, cluster",
                        "keyslot.yaml:5:5: caches.sale.ttl is \"10 parsecs\", must be a duration such as 10m, 1h or 250ms",
                        "keyslot.yaml:6:5: caches.sale.groupdBy is not a setting, did you mean groupedBy?",
                        "keyslot.yaml:7:1: metrics is \"perhaps\", must be true or false",
                        "property keyslot.startup.wait: startup.wait is \"soon\","
                                + " must be a duration from 0ms to 10m, such as 250ms"));
    }

    @Nested
    class Keys {
        @Test
        void unknownKeyWithoutSimilarOne_listsWhatThereIs() {
            assertThat(Given.yaml("async: { colour: 4 }").problems())
                    .containsExactly(
                            "keyslot.yaml:1:10: async.colour is not a setting, those here are queue, threads, wait");
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

        @ParameterizedTest
        @ValueSource(strings = {"expire", "expiration"})
        void keyOfOtherClientsInACache_getsAHint(String key) {
            assertThat(Given.yaml("caches:", "  sale:", "    " + key + ": 1h").problems())
                    .containsExactly("keyslot.yaml:3:5: caches.sale.%s is not used by Keyslot, use ttl of the cache"
                            .formatted(key));
        }

        @Test
        void keyGivenTwice_isAProblem() {
            assertThat(Given.yaml("metrics: true", "namespace: shop", "metrics: false")
                            .problems())
                    .containsExactly("keyslot.yaml:3:1: metrics is given twice, first on line 1");
        }

        @Test
        void unknownPartitionSetting_isAProblem() {
            assertThat(Given.yaml("partitions:", "  p1: { url: 'redis://127.0.0.1' }")
                            .problems())
                    .containsExactly("keyslot.yaml:2:9: partitions.p1.url is not a setting, did you mean uri?");
        }
    }

    @Nested
    class Types {
        @Test
        void listForAValue_isAProblem() {
            assertThat(Given.yaml("namespace: [a, b]").problems())
                    .containsExactly("keyslot.yaml:1:1: namespace is a list,"
                            + " must be at most 64 letters from a to z, digits, '.', '-' or '_'");
        }

        @Test
        void mappingForAValue_isAProblem() {
            assertThat(Given.yaml("metrics: { on: true }").problems())
                    .containsExactly("keyslot.yaml:1:1: metrics is a mapping, must be true or false");
        }

        @Test
        void keyWithoutAValue_isAProblem() {
            assertThat(Given.yaml("metrics:").problems())
                    .containsExactly("keyslot.yaml:1:1: metrics is empty, must be true or false");
        }

        @Test
        void valueForAMapping_isAProblem() {
            assertThat(Given.yaml("deadlines: 250ms", "caches: 5").problems())
                    .containsExactly(
                            "keyslot.yaml:1:1: deadlines is a single value, must be a mapping",
                            "keyslot.yaml:2:1: caches is a single value, must be a mapping");
        }

        @Test
        void mappingInAListOfValues_isAProblemAtItsPlace() {
            assertThat(Given.yaml("codec:", "  allow:", "    - com.acme.**", "    - { a: b }")
                            .problems())
                    .containsExactly("keyslot.yaml:4:7: codec.allow is a mapping,"
                            + " must be a class such as com.acme.Sale, or a package such as com.acme.* or com.acme.**");
        }

        @Test
        void emptySection_isNoProblem() {
            assertThat(Given.yaml("caches:", "  sale:", "deadlines:").options().caches())
                    .containsOnlyKeys("sale");
        }
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
                    "groups.onExcess | ignore | must be one of report, refuse",
                    "groups.transactionOperations | 10001 | must be a number from 1 to 10000",
                    "groups.transactionBytes | 513MiB | must be a size from 1 to 512MiB, such as 64KiB or 8MiB",
                    "embedded.maximumSize | 5MB | must be a size from 64KiB to 1024GiB, such as 64KiB or 8MiB",
                    "async.threads | 1025 | must be a number from 1 to 1024",
                    "async.queue | -1 | must be a number from 1 to 1000000",
                    "async.wait | 2h | must be a duration from 1ms to 1h, such as 250ms",
                    "startup.wait | 11m | must be a duration from 0ms to 10m, such as 250ms",
                    "codec.default | xml | must be one of default, kryo5, kryo, string, bytes, json, jdk, or the full name of a class",
                    "codec.allow | ** | must be a class such as com.acme.Sale, or a package such as com.acme.* or com.acme.**",
                    "namespace | a b | must be at most 64 letters from a to z, digits, '.', '-' or '_'",
                    "sharedInstances | yes | must be true or false",
                    "catalogue | etcd | must be configuration or instances",
                    "caches.sale.ttl | 0s | must be a duration such as 10m, 1h or 250ms",
                    "caches.sale.expiry | never | must be one of eternal, created, modified, accessed, touched",
                    "caches.sale.statistics | yes | must be true or false",
                    "caches.sale.indexed | yes | must be true or false",
                    "caches.sale.missingPartition | ignore | must be one of loader, miss, fail",
                    "loading.threads | 0 | must be a number from 1 to 10000",
                    "loading.threads | 10001 | must be a number from 1 to 10000",
                    "caches.sale.missingPartitionWrites | miss | must be one of fail, journal",
                    "caches.sale.writeBehind | on | must be true, false or a mapping",
                    "caches.sale.keyType | java.lang. | must be the full name of a class",
                    "caches.sale.limits.keyBytes | big | must be a size from 16 to 8KiB, such as 64KiB or 8MiB"
                })
        void badValue_isReportedWithItsRule(String path, String value, String rule) {
            assertThat(Given.yaml().property("keyslot." + path, value).problems())
                    .containsExactly("property keyslot.%s: %s is \"%s\", %s".formatted(path, path, value, rule));
        }

        @ParameterizedTest
        @CsvSource({
            "deadlines.call, 1h",
            "limits.keyBytes, 8KiB",
            "limits.keyBytes, 16",
            "limits.valueBytes, 512MiB",
            "limits.valueBytes, 64",
            "limits.batchKeys, 1000000",
            "groups.entries, 999999999",
            "groups.transactionOperations, 10000",
            "groups.transactionBytes, 512MiB",
            "embedded.maximumSize, 64KiB",
            "embedded.maximumSize, 1024GiB",
            "async.threads, 1024",
            "async.queue, 1000000",
            "loading.threads, 10000",
            "startup.wait, 0ms"
        })
        void valueAtTheBound_isAcceptedByTheOptionsToo(String path, String value) {
            assertThat(Given.yaml().property("keyslot." + path, value).options())
                    .isNotNull();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "loading.timeout | 0ms | must be a duration from 1ms to 365d, such as 250ms",
                    "loading.patience | 366d | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.jitter | 51% | must be a fraction from 0 to 0.5, such as 0.1 or 10%",
                    "loading.refreshAhead | yes | must be true or false",
                    "loading.staleWhileRevalidate | -1s | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.staleIfError | 366d | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.negativeTtl | never | must be a duration from 0ms to 365d, such as 250ms",
                    "loading.bulkhead | 10001 | must be a number from 1 to 10000",
                    "writeBehind.delay | 61m | must be a duration from 0ms to 1h, such as 250ms",
                    "writeBehind.queue | 0 | must be a number from 1 to 1000000",
                    "writeBehind.batch | 1000001 | must be a number from 1 to 1000000",
                    "writeBehind.attempts | 0 | must be a number from 1 to 1000000",
                    "writeBehind.closeWait | 61m | must be a duration from 0ms to 1h, such as 250ms",
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

        @ParameterizedTest
        @CsvSource({
            "loading.timeout, 1ms",
            "loading.timeout, 365d",
            "loading.patience, 365d",
            "loading.jitter, 0",
            "loading.jitter, 50%",
            "loading.staleWhileRevalidate, 365d",
            "loading.staleIfError, 365d",
            "loading.negativeTtl, 365d",
            "loading.bulkhead, 10000",
            "writeBehind.delay, 1h",
            "writeBehind.queue, 1000000",
            "writeBehind.batch, 1000000",
            "writeBehind.attempts, 1000000",
            "writeBehind.closeWait, 1h",
            "near.maximumEntries, 1",
            "near.maximumEntries, 999999999",
            "near.maximumSize, 1KiB",
            "near.maximumSize, 1024GiB"
        })
        void valueOfACacheAtTheBound_isAcceptedByTheOptionsToo(String path, String value) {
            assertThat(throughCache()
                            .property("keyslot.caches.sale." + path, value)
                            .options())
                    .isNotNull();
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

        @ParameterizedTest
        @CsvSource({"staleness, 10ms", "staleness, 1m", "whenMissing.serve, 1ms", "whenMissing.serve, 24h"})
        void valueAtTheBound_isAcceptedByTheOptionsToo(String key, String value) {
            assertThat(Given.yaml("caches: { sale: { near: { maximumEntries: 10 } } }")
                            .property("keyslot.caches.sale.near." + key, value)
                            .options()
                            .cache("sale")
                            .near())
                    .isNotNull();
        }

        @Test
        void problemOfAllCaches_isReportedOnce() {
            assertThat(Given.yaml("near: { maximumEntries: 0 }", "caches: { a: { ttl: 1h }, b: { ttl: 1h } }")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:1:9: near.maximumEntries is \"0\", must be a number from 1 to 999999999");
        }

        @Test
        void bothMaxima_areAProblem() {
            assertThat(problemsOf("", "maximumEntries: 10", "maximumSize: 1MiB"))
                    .containsExactly("keyslot.yaml:5:7: caches.sale.near.maximumSize is given,"
                            + " but maximumEntries is given too: leave one of them away");
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

        @Test
        void maximumThatCannotBeRead_isTheOnlyProblem() {
            assertThat(problemsOf("{ maximumEntries: many }"))
                    .containsExactly("keyslot.yaml:3:13: caches.sale.near.maximumEntries is \"many\","
                            + " must be a number from 1 to 999999999");
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

        @Test
        void severalProblems_areReportedAtOnce() {
            assertThat(problemsOf(
                            "", "maximumEntries: 0", "staleness: 0s", "values: mine", "whenMissing: { server: 1s }"))
                    .hasSize(4)
                    .last()
                    .asString()
                    .contains("near.whenMissing.server is not a setting, did you mean serve?");
        }
    }

    @Nested
    class DeadlinesThatContradict {
        @Test
        void commandLongerThanCall_isAProblem() {
            assertThat(Given.yaml("deadlines:", "  call: 100ms", "  command: 1s")
                            .problems())
                    .containsExactly("keyslot.yaml:3:3: deadlines.command is 1s,"
                            + " must not be longer than deadlines.call, which is 100ms");
        }

        @Test
        void shortCallAlone_makesCommandsAsShort() {
            Deadlines deadlines =
                    Given.yaml("deadlines: { call: 50ms }").options().deadlines();

            assertThat(deadlines.command()).isEqualTo(deadlines.call()).isEqualTo(Duration.ofMillis(50));
        }
    }

    @Nested
    class CachesThatContradict {
        @Test
        void groupedByItself_isAProblem() {
            assertThat(Given.yaml("caches:", "  sale: { groupedBy: sale }", "  a: { entityType: t, groupedBy: t }")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:2:11: caches.sale.groupedBy is the entity type of the cache itself,"
                                    + " must be that of another",
                            "keyslot.yaml:3:23: caches.a.groupedBy is the entity type of the cache itself,"
                                    + " must be that of another");
        }

        @Test
        void groupedByAMemberOfAGroup_isAProblem() {
            assertThat(Given.yaml("caches:", "  sale: { groupedBy: customer }", "  line: { groupedBy: sale }")
                            .problems())
                    .containsExactly("keyslot.yaml:3:11: caches.line.groupedBy is \"sale\", which is in a group itself:"
                            + " name the root of that group");
        }

        @Test
        void ttlWithEternalExpiry_isAProblem() {
            assertThat(Given.yaml("caches:", "  sale: { expiry: eternal, ttl: 1h }")
                            .problems())
                    .containsExactly("keyslot.yaml:2:28: caches.sale.ttl is given, but expiry is eternal:"
                            + " leave one of them away");
        }

        @Test
        void expiryWithoutTtl_isAProblem() {
            assertThat(Given.yaml("caches:", "  sale: { expiry: touched }").problems())
                    .containsExactly("keyslot.yaml:2:11: caches.sale.expiry needs a ttl");
        }

        @Test
        void loaderForMissingPartitionsWithoutReadThrough_isAProblem() {
            assertThat(Given.yaml("caches:", "  sale: { readThrough: false, missingPartition: loader }")
                            .problems())
                    .containsExactly("keyslot.yaml:2:31: caches.sale.missingPartition is loader,"
                            + " which needs a cache that reads through, and readThrough is false");
        }

        @Test
        void settingsThatNeedReadThrough_areNoProblemsIfItIsLeftToTheApplication() {
            assertThat(Given.yaml("caches:", "  sale: { loading: { negativeTtl: 1s }, missingPartition: loader }")
                            .options()
                            .cache("sale")
                            .loading())
                    .isEqualTo(LoadingOptions.defaults().withNegativeTimeToLive(Duration.ofSeconds(1)));
        }

        @Test
        void settingsThatNeedReadThrough_areProblemsWithoutIt() {
            assertThat(Given.yaml(
                                    "caches:",
                                    "  sale:",
                                    "    readThrough: false",
                                    "    loading:",
                                    "      negativeTtl: 1s",
                                    "    missingPartition: loader")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:4:5: caches.sale.loading needs a cache that reads through, and readThrough is"
                                    + " false",
                            "keyslot.yaml:6:5: caches.sale.missingPartition is loader, which needs a cache that reads"
                                    + " through, and readThrough is false");
        }

        @Test
        void switchThatCannotBeRead_isTheOnlyProblem() {
            assertThat(Given.yaml(
                                    "caches:",
                                    "  sale:",
                                    "    readThrough: yes",
                                    "    writeThrough: yes",
                                    "    loading: { bulkhead: 7 }",
                                    "    writeBehind: true")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:3:5: caches.sale.readThrough is \"yes\", must be true or false",
                            "keyslot.yaml:4:5: caches.sale.writeThrough is \"yes\", must be true or false");
        }

        @ParameterizedTest
        @ValueSource(strings = {"refreshAhead: true", "staleWhileRevalidate: 1m", "staleIfError: 1m"})
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
                                    "      refreshAhead: true",
                                    "      staleWhileRevalidate: 1m",
                                    "      staleIfError: 1m")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:7:7: caches.sale.loading.refreshAhead" + rule,
                            "keyslot.yaml:8:7: caches.sale.loading.staleWhileRevalidate" + rule,
                            "keyslot.yaml:9:7: caches.sale.loading.staleIfError" + rule);
        }

        @Test
        void staleValuesThatAreSwitchedOff_needNothing() {
            assertThat(Given.yaml(
                                    "caches:",
                                    "  sale:",
                                    "    readThrough: true",
                                    "    loading: { refreshAhead: false, staleWhileRevalidate: 0s, staleIfError: 0s }")
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

        @Test
        void writeBehindWithNothingBehindIt_isAProblem() {
            assertThat(Given.yaml("caches:", "  sale:", "    writeThrough: true", "    writeBehind:")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:4:5: caches.sale.writeBehind is empty, must be true, false or a mapping");
        }

        @Test
        void sameEntityTypeTwice_isAProblem() {
            assertThat(Given.yaml("caches:", "  sale:", "  sales: { entityType: sale }")
                            .problems())
                    .containsExactly("keyslot.yaml:3:12: caches.sales.entityType is \"sale\","
                            + " as that of the cache sale: each cache needs its own");
        }
    }
}
