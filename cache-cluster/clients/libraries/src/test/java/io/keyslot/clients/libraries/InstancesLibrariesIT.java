// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.libraries;

import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The libraries on three real servers, with nothing but the application's package allowed. */
@SuppressWarnings("NullAway.Init") // set before all tests
class InstancesLibrariesIT extends LibraryScenarios {
    private static TestServers servers;

    @BeforeAll
    static void openManagers(@TempDir Path folder) throws IOException {
        servers = TestServers.start(3);
        use(configuration(folder.resolve("one.yaml")), configuration(folder.resolve("other.yaml")));
    }

    private static URI configuration(Path file) throws IOException {
        return Files.writeString(file, """
                partitions: [ %s ]
                startup: { wait: 10s }
                deadlines: { connect: 5s, call: 5s, command: 4s }
                codec:
                  allow:
                    - io.keyslot.clients.libraries.**
                    - java.lang.Exception
                    - java.lang.Throwable
                    - java.lang.StackTraceElement
                    - java.io.IOException
                caches:
                  sessions: { codec: jdk }
                  rights: { codec: jdk }
                  aggregated:
                    codec: jdk
                    keyType: java.lang.String
                    valueType: org.apache.camel.support.DefaultExchangeHolder
                """.formatted(String.join(", ", servers.uris())))
                .toUri();
    }

    @AfterAll
    static void endServers() throws Exception {
        servers.close();
    }
}
