// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.it.SideBySide;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("thorough")
@SideBySide
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

    /** Whoever looks for a free port may find the same as somebody else. */
    @Test
    void start_onThePortOfAnother_isNotTakenForIt(@TempDir Path directory) throws IOException {
        int taken = servers.start().port();
        Path slow = directory.resolve("slow-server");
        Files.writeString(slow, "#!/bin/sh\nsleep 1\nexec '%s' \"$@\"\n".formatted(ServerBinary.find()));
        assertThat(slow.toFile().setExecutable(true)).isTrue();

        try (LocalServer second = new LocalServer(slow, directory, taken, List.of())) {
            assertThatThrownBy(second::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ended at once");
        }
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

    @Test
    void close_whileTheJvmShutsDown_isQuietAndLeavesNoServer() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClosesInAHook.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(jvm.waitFor()).isZero();
        String port = output.strip();
        assertThat(port).as("nothing but the port").containsOnlyDigits();
        assertThatThrownBy(() -> ask(Integer.parseInt(port), "PING")).isInstanceOf(ConnectException.class);
    }

    /** A program that closes its servers when it is interrupted, as the demonstration does. */
    static final class ClosesInAHook {
        private ClosesInAHook() {}

        public static void main(String[] arguments) {
            LocalServers servers = LocalServers.create();
            LocalServer server = servers.start();
            Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
            System.out.println(server.port());
            System.exit(0);
        }
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
