// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.jcache.SerializingCodec;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.OtherJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kit of JSR-107 on three servers, with options of the stored values: with {@code layout: raw}, what cannot hold is in the list
 * {@code CannotHold}, and nothing else fails; with encryption and compression, all of it passes but
 * four tests that count caches.
 */
@Tag("thorough")
class StoredValuesKitIT {
    /** All tests of version 1.1.1. */
    private static final int TESTS = 493;

    /** What the tests call their caches, but for two whose names are never the same. */
    private static final List<String> CACHES = List.of(
            "SampleCache",
            "basicCache",
            "blgMngr",
            "blogManager",
            "c1",
            "c2",
            "c3",
            "cache-loader-test",
            "cache-loader-writer-test",
            "cache-writer-test",
            "cache1",
            "cache2",
            "cache3",
            "cache4",
            "customCache",
            "ensure_mbeanserver_created_cache",
            "failing-cache-writer-test",
            "new cache",
            "other cache",
            "sampleCache",
            "simpleCache4",
            "typed-cache",
            "untyped-cache",
            "manager.UsingDefaultCacheNameBlogManagerImpl.getEntryCached(java.lang.String)",
            "javax.cache.configuration.ConfigurationTest",
            "javax.cache.configuration.ConfigurationTest_",
            "javax.cache.configuration.MutableConfigurationTest",
            "javax.cache.configuration.MutableConfigurationTest_",
            "javax.cache.expiry.ExpiryPolicyTest",
            "org.jsr107.tck.CacheTest",
            "org.jsr107.tck.GetTest",
            "org.jsr107.tck.PutTest",
            "org.jsr107.tck.RemoveTest",
            "org.jsr107.tck.ReplaceTest",
            "org.jsr107.tck.StoreByValueTest",
            "org.jsr107.tck.TypesTest",
            "org.jsr107.tck.event.CacheListenerTest",
            "org.jsr107.tck.expiry.CacheExpiryTest",
            "org.jsr107.tck.integration.CacheLoaderWithExpiryTest",
            "org.jsr107.tck.management.CacheMBStatisticsBeanTest",
            "org.jsr107.tck.management.CacheMXBeanTest",
            "org.jsr107.tck.processor.CacheInvokeTest");

    /** They count the caches of a manager, to which those belong that {@code keyslot.yaml} names, whatever their options. */
    private static final Set<String> COUNTING_CACHES = Set.of(
            "org.jsr107.tck.CacheManagerTest#getCaches_Empty",
            "org.jsr107.tck.CacheManagerTest#getCaches_MutateCacheManager",
            "org.jsr107.tck.CacheManagerTest#getCaches_NotEmpty",
            "org.jsr107.tck.CacheManagerTest#removeCache_There");

    private static final Path KIT = Path.of("src", "test", "tck");

    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    private Path folder;

    @Test
    void rawValues_passAllTests_butThoseThatCannot() throws Exception {
        Set<String> cannot = new TreeSet<>(COUNTING_CACHES);
        cannot.addAll(expected());
        assertThat(failed("{ layout: raw, codec: %s }".formatted(SerializingCodec.class.getName())))
                .isEqualTo(cannot);
    }

    @Test
    void encryptedAndCompressedValues_passAllOthers() throws Exception {
        assertThat(failed("{ encryption: { key: %s }, compression: { from: 64 } }"
                        .formatted(Base64.getEncoder().encodeToString(new byte[32]))))
                .isEqualTo(COUNTING_CACHES);
    }

    private Set<String> failed(String options) throws Exception {
        try (TestServers servers = TestServers.start(3)) {
            Files.writeString(folder.resolve("keyslot.yaml"), configuration(servers.uris(), options));
            List<String> lines = run();

            assertThat(lines).as("tests that were run").hasSize(TESTS);
            return failed(lines);
        }
    }

    private static String configuration(List<String> addresses, String options) {
        return """
            partitions: [ %s ]
            startup: { wait: 10s }
            deadlines: { connect: 5s, call: 5s, command: 2s }
            codec: { allow: [ "domain.**", "org.jsr107.**" ] }
            caches:
            %s
            """.formatted(
                        String.join(", ", addresses),
                        CACHES.stream()
                                .map(name -> "  \"%s\": %s".formatted(name, options))
                                .collect(Collectors.joining("\n")));
    }

    /** Returns a line for each test. */
    private List<String> run() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        try (OtherJvm kit = OtherJvm.start(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djavax.cache.CacheManager=io.keyslot.cache.PartitionedCacheManager",
                        "-Djavax.cache.Cache=io.keyslot.cache.PartitionedCache",
                        "-Djavax.cache.Cache.Entry=io.keyslot.cache.PartitionedEntry",
                        "-Xbootclasspath/a:%s:%s".formatted(folder, KIT.resolve("common"))),
                KitJvm.class)) {
            for (String line = kit.readLine(); !line.equals("end"); line = kit.readLine()) {
                if (line.startsWith("passed ") || line.startsWith("failed ")) {
                    lines.add(line);
                }
            }
            kit.awaitSuccess();
        }
        return lines;
    }

    private static Set<String> failed(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("failed "))
                .map(line -> line.substring("failed ".length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> expected() throws IOException {
        try (Stream<String> lines = Files.lines(KIT.resolve(Path.of("raw", "CannotHold")))) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
