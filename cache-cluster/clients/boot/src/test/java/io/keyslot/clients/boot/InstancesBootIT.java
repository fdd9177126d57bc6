// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;

/** The application on three real servers, with its own package and the classes of an exception allowed. */
@SuppressWarnings("NullAway.Init") // set before all tests
class InstancesBootIT extends BootScenarios {
    private static TestServers servers;

    @BeforeAll
    static void startApplication(@TempDir Path folder) throws IOException {
        servers = TestServers.start(3);
        Path file = Files.writeString(folder.resolve("keyslot.yaml"), """
                partitions: [ %s ]
                startup: { wait: 10s }
                deadlines: { connect: 5s, call: 5s, command: 4s }
                caches:
                  books: {}
                  bestsellers: {}
                  shelves: {}
                  failures: { codec: jdk }
                codec:
                  allow:
                    - io.keyslot.clients.boot.**
                    - java.lang.IllegalStateException
                    - java.lang.RuntimeException
                    - java.lang.Exception
                    - java.lang.Throwable
                    - java.lang.StackTraceElement
                    - java.io.IOException
                """.formatted(String.join(", ", servers.uris())));
        use(BookShop.start(file.toUri().toString()));
    }

    @AfterAll
    static void endServers() throws Exception {
        servers.close();
    }

    /** Not those that the other tests of the project run with. */
    @Test
    void lettuceAndNetty_areThoseOfSpringBoot() {
        assertThat(SpringBootVersion.getVersion()).startsWith(expected("boot"));
        assertThat(RedisClient.class.getPackage().getImplementationVersion()).startsWith(expected("lettuce"));
        assertThat(Objects.requireNonNull(Version.identify().get("netty-common"))
                        .artifactVersion())
                .startsWith(expected("netty"));
    }

    private static String expected(String library) {
        return System.getProperty("expected." + library, "not given");
    }
}
