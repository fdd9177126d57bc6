// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionOptionsTest {
    @Test
    void configuration_isThatOfTheEnvironment_orOfTheDirectory_orNone(@TempDir Path directory) throws Exception {
        assertThat(ConnectionOptions.found(null, directory)).isNull();

        Path present = Files.writeString(directory.resolve("keyslot.yaml"), "engine: embedded");

        assertThat(ConnectionOptions.found(null, directory)).isEqualTo(present);
        assertThat(ConnectionOptions.found(" ", directory)).isEqualTo(present);
        assertThat(ConnectionOptions.found("/etc/shop.yaml", directory)).isEqualTo(Path.of("/etc/shop.yaml"));
    }
}
