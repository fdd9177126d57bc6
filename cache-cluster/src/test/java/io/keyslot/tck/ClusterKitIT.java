// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.it.OtherJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kit of JSR-107 on a cluster, also with near caches: all of it passes, and nothing is left out that others run. */
@Tag("thorough")
class ClusterKitIT {
    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "near: { maximumEntries: 10000 }"})
    void everyTest_passes(String near) throws Exception {
        try (LocalCluster cluster = LocalCluster.start(3, 1)) {
            Files.writeString(folder.resolve("keyslot.yaml"), """
                    engine: cluster
                    partitions: [ %s ]
                    startup: { wait: 10s }
                    deadlines: { connect: 5s, call: 5s, command: 2s }
                    codec:
                      allow: [ "domain.**", "org.jsr107.**" ]
                    %s
                    """.formatted(String.join(", ", cluster.uris()), near));

            List<String> lines = run();

            assertThat(lines).filteredOn(line -> line.startsWith("failed ")).isEmpty();
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("passed "))
                    .as("tests that were run")
                    .hasSize(TckCompletenessCheck.TESTS);
            String log = String.join("\n", lines);
            TckCompletenessCheck.assertNothingElseIsExcluded("cluster", TckReport.excludedIn(log));
            assertThat(TckReport.enginesIn(log)).containsExactly("cluster");
            assertThat(log.contains(": near cache of ")).isEqualTo(!near.isEmpty());
        }
    }

    /** Returns the lines of the kit and of its log. */
    private List<String> run() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        try (OtherJvm kit = OtherJvm.start(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.log.io.keyslot.client.ClientAssembly=info", // names the engine
                        "-Dorg.slf4j.simpleLogger.log.io.keyslot.client.jcache.CacheAssembly=debug", // names near
                        // caches
                        "-Djavax.cache.CacheManager=io.keyslot.cache.PartitionedCacheManager",
                        "-Djavax.cache.Cache=io.keyslot.cache.PartitionedCache",
                        "-Djavax.cache.Cache.Entry=io.keyslot.cache.PartitionedEntry",
                        "-Xbootclasspath/a:%s:%s".formatted(folder, Path.of("src", "test", "tck", "common"))),
                KitJvm.class,
                KitJvm.WITH_LOG)) {
            for (String line = kit.readLine(); !line.equals("end"); line = kit.readLine()) {
                lines.add(line);
            }
            kit.awaitSuccess();
        }
        return lines;
    }
}
