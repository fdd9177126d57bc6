// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.SideBySide;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The name of a host is asked for at each connect, whatever the answer before said of how long it holds. */
@SideBySide
class ResolvedHostsIT {
    /** A name server that says of every name the same, and that it holds for an hour. */
    private static final class NameServer implements AutoCloseable {
        private static final int HEADER = 12;
        private static final int HOUR = 3_600;

        private final DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        private final AtomicInteger questions = new AtomicInteger();
        private volatile byte[] address;

        NameServer(byte... address) throws IOException {
            this.address = address;
            Thread thread = new Thread(this::serve, "name-server");
            thread.setDaemon(true);
            thread.start();
        }

        void say(byte... other) {
            address = other;
        }

        private void serve() {
            byte[] room = new byte[512];
            while (!socket.isClosed()) {
                try {
                    DatagramPacket question = new DatagramPacket(room, room.length);
                    socket.receive(question);
                    byte[] answer = answer(Arrays.copyOf(room, question.getLength()));
                    socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
                } catch (IOException e) {
                    if (!socket.isClosed()) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        }

        /** The question with flags and one address behind it; none for what is no question for an IPv4 address. */
        private byte[] answer(byte[] question) {
            int end = HEADER;
            while (question[end] != 0) {
                end += question[end] + 1;
            }
            boolean isV4 = question[end + 2] == 1;
            ByteBuffer answer = ByteBuffer.allocate(512);
            answer.put(question, 0, 2).putShort((short) 0x8180).putShort((short) 1);
            answer.putShort((short) (isV4 ? 1 : 0)).putInt(0);
            answer.put(question, HEADER, end + 5 - HEADER);
            if (isV4) {
                questions.incrementAndGet();
                answer.putShort((short) 0xC00C).putShort((short) 1).putShort((short) 1);
                answer.putInt(HOUR).putShort((short) address.length).put(address);
            }
            return Arrays.copyOf(answer.array(), answer.position());
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    @Test
    void nameThatLeadsElsewhere_isFollowedByTheNextConnect() throws Exception {
        try (LocalServers servers = LocalServers.create();
                NameServer names = new NameServer((byte) 127, (byte) 0, (byte) 0, (byte) 1);
                RedisResources resources = RedisResources.create(
                        System::nanoTime,
                        new SingletonDnsServerAddressStreamProvider(new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), names.socket.getLocalPort())))) {
            LocalServer server = servers.start();
            RedisConnector connector = RedisConnector.create(
                    resources,
                    "redis://cache.example.test:" + server.port(),
                    RedisFixture.identity(),
                    RedisFixture.PATIENT,
                    TlsOptions.defaults(),
                    "test");

            RedisFixture.connect(connector).close();
            int asked = names.questions.get();
            assertThat(asked).isPositive();

            names.say((byte) 127, (byte) 0, (byte) 0, (byte) 9); // where nobody listens
            ConnectFailure failure = RedisFixture.failureOf(connector);
            assertThat(failure.kind()).isEqualTo(ConnectFailure.Kind.UNREACHABLE);
            assertThat(failure).hasStackTraceContaining("127.0.0.9");

            names.say((byte) 127, (byte) 0, (byte) 0, (byte) 1);
            RedisFixture.connect(connector).close();
            assertThat(names.questions.get()).isGreaterThan(asked + 1);
            connector.close();
        }
    }
}
