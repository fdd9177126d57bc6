// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerBinaryTest {
    @TempDir
    Path directory;

    @Test
    void find_nothingOnThePath_saysWhatToInstall() {
        assertThatThrownBy(() -> ServerBinary.find(null, directory.toString()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("apt-get install redis-server")
                .hasMessageContaining("KEYSLOT_SERVER_BINARY");
    }

    @Test
    void find_valkeyOnThePath_isFound() throws IOException {
        Path valkey = executable("valkey-server");

        assertThat(ServerBinary.find(null, "nowhere" + File.pathSeparator + directory))
                .isEqualTo(valkey);
    }

    @Test
    void find_configuredFile_winsOverThePath() throws IOException {
        executable("redis-server");
        Path configured = executable("my-server");

        assertThat(ServerBinary.find(configured.toString(), directory.toString()))
                .isEqualTo(configured);
    }

    @Test
    void find_configuredFileIsMissing_namesTheFileAndTheSetting() {
        assertThatThrownBy(() -> ServerBinary.find("/no/such/file", directory.toString()))
                .hasMessageContaining("/no/such/file")
                .hasMessageContaining("KEYSLOT_SERVER_BINARY");
    }

    private Path executable(String name) throws IOException {
        Path file = Files.createFile(directory.resolve(name));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
