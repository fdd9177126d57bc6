// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Between a client and a server that says what it hears. */
@Timeout(60)
class DelayingProxyTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(3);

    private ServerSocket server;
    private DelayingProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        proxy = DelayingProxy.start(List.of(URI.create("redis://127.0.0.1:" + server.getLocalPort())), ROUND_TRIP);
    }

    @AfterEach
    void end() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket connect() throws IOException {
        URI uri = proxy.uris().get(0);
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private CompletableFuture<Void> echo() {
        return CompletableFuture.runAsync(() -> {
            try (Socket accepted = server.accept()) {
                accepted.setTcpNoDelay(true);
                accepted.getInputStream().transferTo(accepted.getOutputStream());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void answer_isNeverEarly() throws IOException {
        CompletableFuture<Void> echo = echo();
        try (Socket client = connect()) {
            for (int i = 0; i < 100; i++) {
                long begin = System.nanoTime();
                client.getOutputStream().write(i);
                assertThat(client.getInputStream().read()).isEqualTo(i);
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(ROUND_TRIP);
            }
        }
        echo.join();
    }

    @Test
    void moreBytesThanAreUnderWayAtOnce_arriveInOrder_andThenTheEnd() throws IOException {
        byte[] said = new byte[20_000_000];
        new Random(7).nextBytes(said);
        CompletableFuture<Void> echo = echo();
        try (Socket client = connect()) {
            CompletableFuture<Void> saying = CompletableFuture.runAsync(() -> {
                try {
                    client.getOutputStream().write(said);
                    client.shutdownOutput();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });

            assertThat(client.getInputStream().readAllBytes()).isEqualTo(said);
            saying.join();
        }
        echo.join();
    }

    @Test
    void connectionThatIsEnded_endsTheOther() throws IOException {
        try (Socket client = connect()) {
            server.accept().close();

            assertThat(client.getInputStream().read()).isNegative();
        }
    }

    @Test
    void serverThatIsNotThere_isAConnectionThatEnds() throws IOException {
        server.close();
        try (Socket client = connect()) {
            assertThat(client.getInputStream().read()).isNegative();
        }
    }
}
