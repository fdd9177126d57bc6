// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Reply;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The name of a host is asked for at each connect and while a connection lives, whatever an answer said of how long it holds. */
@Tag("thorough")
@SideBySide
class ResolvedHostsIT {
    private static final byte[] FIRST = {127, 0, 0, 1};
    private static final byte[] SECOND = {127, 0, 0, 2};
    private static final byte[] NO_SERVER = {127, 0, 0, 9};

    /** A name is looked at every five seconds at the latest; and room for a machine that is busy. */
    private static final Duration LIMIT = Duration.ofSeconds(12);

    private static final Duration POLL = Duration.ofMillis(20);

    /** A name server that says of every name the same, and that it holds for an hour. */
    private static final class NameServer implements AutoCloseable {
        private static final int HEADER = 12;
        private static final int HOUR = 3_600;

        private final DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        private final AtomicInteger questions = new AtomicInteger();
        private volatile List<byte[]> addresses;

        NameServer(byte[]... addresses) throws IOException {
            this.addresses = List.of(addresses);
            Thread thread = new Thread(this::serve, "name-server");
            thread.setDaemon(true);
            thread.start();
        }

        void say(byte[]... others) {
            addresses = List.of(others);
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

        /** The question with flags and the addresses behind it; none for what is no question for IPv4 addresses. */
        private byte[] answer(byte[] question) {
            int end = HEADER;
            while (question[end] != 0) {
                end += question[end] + 1;
            }
            boolean isV4 = question[end + 2] == 1;
            List<byte[]> said = isV4 ? addresses : List.of();
            ByteBuffer answer = ByteBuffer.allocate(512);
            answer.put(question, 0, 2).putShort((short) 0x8180).putShort((short) 1);
            answer.putShort((short) said.size()).putInt(0);
            answer.put(question, HEADER, end + 5 - HEADER);
            if (isV4) {
                questions.incrementAndGet();
            }
            for (byte[] address : said) {
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

    private final LocalServers servers = TestServers.none();
    private final NameServer names = new NameServer(FIRST);
    private final RedisResources resources = resources();
    private final LocalServer server = servers.start();
    private final RedisConnector connector = RedisConnector.create(
            resources,
            new ServerAccess(
                    PartitionUriParser.uri("redis://cache.example.test:" + server.port()),
                    TlsOptions.defaults(),
                    Optional.empty(),
                    Optional.empty()),
            RedisFixture.identity(),
            RedisFixture.PATIENT,
            "test");

    ResolvedHostsIT() throws IOException {}

    private RedisResources resources() {
        return RedisResources.create(
                new SystemTicker(),
                new SingletonDnsServerAddressStreamProvider(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), names.socket.getLocalPort())));
    }

    @AfterEach
    void close() {
        connector.close();
        resources.close();
        names.close();
        servers.close();
    }

    @Test
    void nameThatLeadsElsewhere_isFollowedByTheNextConnect() throws Exception {
        RedisFixture.connect(connector).close();
        int asked = names.questions.get();
        assertThat(asked).isPositive();

        names.say(NO_SERVER);
        ConnectFailure failure = RedisFixture.failureOf(connector);
        assertThat(failure.kind()).isEqualTo(ConnectFailure.Kind.UNREACHABLE);
        assertThat(failure).hasStackTraceContaining("127.0.0.9");

        names.say(FIRST);
        RedisFixture.connect(connector).close();
        assertThat(names.questions.get()).isGreaterThan(asked + 1);
    }

    /** The former primary lives and stays a primary; nobody cuts the connection to it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nameThatLeadsElsewhere_endsTheConnection(boolean isServerThere) throws Exception {
        RedisConnection connection = RedisFixture.connect(connector);
        RedisFixture.done(connection, RedisFixture.put("k", "former"));
        LocalServer next = servers.start();
        try (HoldingProxy address = new HoldingProxy(next.port(), isServerThere ? server.port() : 0, 2)) {
            names.say(SECOND, NO_SERVER);

            assertThat(connection.lost().get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .contains("the name of the host leads to another server", "127.0.0.2");
            assertThat(RedisFixture.reply(connection, RedisFixture.get("k"))).isInstanceOf(Reply.Refused.class);
            if (isServerThere) {
                RedisConnection following = RedisFixture.connect(connector);
                assertThat(RedisFixture.done(following, RedisFixture.get("k")).isFound())
                        .isFalse();
            }
        }
    }

    /** What a name server may say while the server stays where it is. */
    @SuppressWarnings("ImmutableEnumChecker") // Nobody changes the addresses.
    enum Said {
        NOTHING,
        SEVERAL_ADDRESSES(SECOND, FIRST),
        ANOTHER_ADDRESS_OF_THE_SAME_SERVER(SECOND);

        private final byte[][] addresses;

        Said(byte[]... addresses) {
            this.addresses = addresses;
        }
    }

    @ParameterizedTest
    @EnumSource
    void nameThatLeadsToTheSameServer_orIsUnknown_endsNothing(Said said) throws Exception {
        RedisConnection connection = RedisFixture.connect(connector);
        try (HoldingProxy address = new HoldingProxy(server.port(), server.port(), 2)) {
            int asked = names.questions.get();
            names.say(said.addresses);
            await().atMost(LIMIT.multipliedBy(2))
                    .until(() -> names.questions.get() > asked + 2
                            && (said != Said.ANOTHER_ADDRESS_OF_THE_SAME_SERVER || address.isUsed()));

            assertThat(connection.lost()).isNotDone();
            assertThat(RedisFixture.done(connection, RedisFixture.get("k")).isFound())
                    .isFalse();
        }
    }

    /** An application with default settings; another one writes where the name leads now. */
    @Test
    void readsAndNearCopies_followTheName() throws Exception {
        LocalServer next = servers.start();
        KeyslotCachingProvider byName = new KeyslotCachingProvider(new ClientAssembly(this::resources));
        try (HoldingProxy address = new HoldingProxy(next.port(), server.port(), 2);
                CacheManager reading = KeyslotManagers.open(
                        byName, "by-name", List.of("redis://cache.example.test:" + server.port()), Map.of());
                CacheManager writing = KeyslotManagers.open("by-address", List.of(next.uri()), Map.of())) {
            Cache<String, String> plain = reading.createCache("c", new MutableConfiguration<>());
            Cache<String, String> near = reading.createCache(
                    "n", new PartitionedConfiguration<String, String>().setNear(NearOptions.ofEntries(100)));
            Cache<String, String> plainThere = writing.createCache("c", new MutableConfiguration<>());
            Cache<String, String> nearThere = writing.createCache("n", new MutableConfiguration<>());
            plain.put("k", "former");
            near.put("k", "former");
            await().until(() -> "former".equals(near.get("k")));

            names.say(SECOND);

            await().atMost(LIMIT).pollInterval(POLL).ignoreExceptions().until(() -> {
                plainThere.put("k", "new");
                nearThere.put("k", "new");
                return "new".equals(plain.get("k")) && "new".equals(near.get("k"));
            });
            assertThat(address.isUsed()).isTrue();
        }
    }
}
