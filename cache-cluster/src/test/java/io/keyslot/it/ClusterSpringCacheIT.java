// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cluster.local.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The Spring Boot application on a cluster of three primaries and three replicas. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set by JUnit, and before all tests
@SideBySide
class ClusterSpringCacheIT extends SpringCacheScenarios {
    private static LocalCluster cluster;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startCluster() {
        cluster = LocalCluster.start(3, 1);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @Override
    String configuration() {
        try {
            return Files.writeString(folder.resolve("keyslot.yaml"), """
                engine: cluster
                partitions: [ %s ]
                startup: { wait: 10s }
                deadlines: { connect: 5s, call: 5s, command: 4s }
                codec:
                  allow: [ "io.keyslot.it.**" ]
                """.formatted(String.join(", ", cluster.uris())))
                    .toUri()
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
