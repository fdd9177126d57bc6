// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;

class ServerProcessTest {
    private static final ServerProcess SERVER = new ServerProcess(URI.create("redis://127.0.0.1:7001"), 1234);

    @Test
    void text_isReadAsItIsWritten() {
        assertThat(SERVER).hasToString("redis://127.0.0.1:7001#1234");
        assertThat(ServerProcess.parse(" redis://127.0.0.1:7001#1234 ")).isEqualTo(SERVER);
    }

    @Test
    void addressWithoutProcess_isRefused() {
        assertThatThrownBy(() -> ServerProcess.parse("redis://127.0.0.1:7001"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("process id");
    }
}
