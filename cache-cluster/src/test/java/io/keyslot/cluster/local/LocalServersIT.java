// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalServersIT {
    private final LocalServers servers = LocalServers.create();

    @AfterEach
    void close() {
        servers.close();
    }

    @Test
    void start_severalServers_eachAnswersOnItsOwnPort() throws IOException {
        servers.start(2);

        assertThat(servers.servers()).extracting(LocalServer::port).doesNotHaveDuplicates();
        for (LocalServer server : servers.servers()) {
            assertThat(ask(server.port(), "PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void start_withPassword_isReadyAndAsksForIt() throws IOException {
        LocalServer server = servers.start("--requirepass", "secret");

        assertThat(ask(server.port(), "PING")).startsWith("-NOAUTH");
    }

    @Test
    void start_withAnArgumentTheServerDoesNotKnow_failsWithItsLog() {
        assertThatThrownBy(() -> servers.start("--no-such-argument", "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("no-such-argument");
    }

    @Test
    void restart_afterKill_hasTheSamePortAndIsEmpty() throws IOException {
        LocalServer server = servers.start();
        ask(server.port(), "SET a 1");
        server.kill();

        server.restart();

        assertThat(ask(server.port(), "GET a")).isEqualTo("$-1");
    }

    @Test
    void suspend_serverDoesNotAnswer_untilResumed() throws IOException {
        LocalServer server = servers.start();

        server.suspend();

        assertThatThrownBy(() -> ask(server.port(), "PING")).isInstanceOf(SocketTimeoutException.class);
        server.resume();
        assertThat(ask(server.port(), "PING")).isEqualTo("+PONG");
    }

    @Test
    void close_suspendedServer_endsAndItsFilesAreGone() {
        LocalServer server = servers.start();
        server.suspend();

        servers.close();

        assertThat(server.process().isAlive()).isFalse();
        assertThat(server.directory()).doesNotExist();
    }

    private static String ask(int port, String command) throws IOException {
        try (Socket socket = new Socket(LocalServer.loopback(), port)) {
            socket.setSoTimeout(300);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
