// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;

/** What can be said of a container without an engine that runs it. */
class ContainerLauncherTest {
    @Test
    void container_sharesTheNetworkOfTheHost_andLogsThere(@TempDir Path folder) throws Exception {
        try (GenericContainer<?> container =
                ContainerLauncher.container(List.of("--port", "7000"), folder, folder.resolve("server.log"))) {
            assertThat(container.getNetworkMode()).isEqualTo("host");
            assertThat(container.getCommandParts())
                    .containsExactly(
                            "--port",
                            "7000",
                            "--logfile",
                            folder.resolve("server.log").toString());
        }
    }
}
