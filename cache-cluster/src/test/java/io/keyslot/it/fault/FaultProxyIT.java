// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SideBySide
class FaultProxyIT {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private final LocalServers servers = LocalServers.create();
    private final int server = servers.start().port();
    private final FaultProxy proxy = new FaultProxy(server);
    private final Resp client = new Resp(port(), PATIENCE);

    FaultProxyIT() throws IOException {}

    private int port() {
        return Integer.parseInt(proxy.uri().substring(proxy.uri().lastIndexOf(':') + 1));
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        servers.close();
    }

    @Test
    void noFault_forwardsBothWays() throws IOException {
        assertThat(client.ask("SET", "a", "1")).isEqualTo("OK");
        assertThat(client.ask("GET", "a")).isEqualTo("1");
        assertThat(proxy.accepted()).isOne();
    }

    @Test
    void delay_holdsAnswersForAFifthOfASecond() throws IOException {
        proxy.set(NetworkFault.DELAY);
        Ticker ticker = new SystemTicker();
        long start = ticker.nanos();

        assertThat(client.ask("PING")).isEqualTo("PONG");
        assertThat(Duration.ofNanos(ticker.nanos() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void freeze_deliversCommandsLate() throws IOException {
        proxy.set(NetworkFault.FREEZE);
        client.send("SET", "a", "1");
        assertThatThrownBy(client::answer).isInstanceOf(SocketTimeoutException.class);
        assertThat(Resp.run(server, "EXISTS", "a")).isEqualTo("0");

        proxy.set(NetworkFault.NONE);

        assertThat(client.answer()).isEqualTo("OK");
        assertThat(Resp.run(server, "GET", "a")).isEqualTo("1");
    }

    @Test
    void blackHole_losesCommandsAndBreaksTheLinkAfterwards() throws IOException {
        proxy.set(NetworkFault.BLACK_HOLE);
        client.send("SET", "a", "1");
        assertThatThrownBy(client::answer).isInstanceOf(SocketTimeoutException.class);

        proxy.set(NetworkFault.NONE);

        assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(IOException.class);
        assertThat(Resp.run(server, "EXISTS", "a")).isEqualTo("0");
    }

    @Test
    void halfOpen_deliversCommandsAndLosesAnswers() throws IOException {
        proxy.set(NetworkFault.HALF_OPEN);
        client.send("SET", "a", "1");
        assertThatThrownBy(client::answer).isInstanceOf(SocketTimeoutException.class);

        assertThat(Resp.run(server, "GET", "a")).isEqualTo("1");
    }

    @Test
    void reset_breaksWhatExistsAndWhatComes() throws IOException {
        client.ask("PING");
        proxy.set(NetworkFault.RESET);

        assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Resp.run(port(), "PING")).isInstanceOf(IOException.class);
        proxy.set(NetworkFault.NONE);
        assertThat(Resp.run(port(), "PING")).isEqualTo("PONG");
    }

    @Test
    void refusedConnections_areAcceptedAgainOnTheSamePort() throws IOException {
        client.ask("PING");
        proxy.set(NetworkFault.REFUSE);

        assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Resp.run(port(), "PING"))
                .isInstanceOfAny(ConnectException.class, SocketException.class);
        proxy.set(NetworkFault.NONE);
        assertThat(Resp.run(port(), "PING")).isEqualTo("PONG");
    }

    @Test
    void killedServer_closesTheLink() {
        servers.servers().get(0).kill();

        await("the link is closed")
                .untilAsserted(() -> assertThatThrownBy(() -> client.ask("PING"))
                        .isInstanceOf(IOException.class)
                        .isNotInstanceOf(SocketTimeoutException.class));
    }
}
