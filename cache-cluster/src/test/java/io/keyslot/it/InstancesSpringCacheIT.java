// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The Spring Boot application on three real servers. */
@SuppressWarnings("NullAway.Init") // set by JUnit, and before all tests
@SideBySide
class InstancesSpringCacheIT extends SpringCacheScenarios {
    private static TestServers servers;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(3);
    }

    @AfterAll
    static void endServers() throws Exception {
        servers.close();
    }

    @Override
    String configuration() {
        try {
            return Files.writeString(folder.resolve("keyslot.yaml"), """
                            partitions: [ %s ]
                            startup: { wait: 10s }
                            deadlines: { connect: 5s, call: 5s, command: 4s }
                            codec:
                              allow: [ "io.keyslot.it.**" ]
                            """.formatted(String.join(", ", servers.uris())))
                    .toUri()
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
