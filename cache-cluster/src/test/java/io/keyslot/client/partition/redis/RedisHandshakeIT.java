// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.P1;
import static io.keyslot.client.partition.redis.RedisFixture.P2;
import static io.keyslot.client.partition.redis.RedisFixture.PATIENT;
import static io.keyslot.client.partition.redis.RedisFixture.TWO;
import static io.keyslot.client.partition.redis.RedisFixture.bytes;
import static io.keyslot.client.partition.redis.RedisFixture.failureOf;
import static io.keyslot.client.partition.redis.RedisFixture.identity;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.SlotMap;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@SideBySide
class RedisHandshakeIT {
    private static final String PASSWORD = "s3cret-of-the-server";

    private final LocalServers servers = TestServers.none();
    private final RedisFixture fixture = new RedisFixture();

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    @Nested
    class MetaHash {
        private final LocalServer server = servers.start();
        private final RedisCommands<byte[], byte[]> plain = fixture.plain(server.uri());

        @Test
        void otherSlots_areRejectedWithBothMaps() throws Exception {
            fixture.connect(server.uri());

            ConnectFailure failure = failureOf(connector(new PartitionIdentity(P2, TWO, "", false, Adoption.UNUSED)));

            assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
            assertThat(failure)
                    .hasMessageContaining("127.0.0.1:" + server.port())
                    .hasMessageContaining("recorded are slots 0-8191 (v1 p1=0-8191 p2=8192-16383)")
                    .hasMessageContaining("ours are 8192-16383 as partition p2")
                    .hasMessageContaining("FLUSHDB these databases, which deletes all")
                    .hasMessageContaining("give this client other databases or instances");
            assertThat(failure.getMessage()).doesNotContain("delete the field");
        }

        @Test
        void otherSlotsOfANewerMap_areAcceptedAndRecorded() throws Exception {
            RedisConnector connector = connector(new PartitionIdentity(P1, TWO, "", false, Adoption.UNUSED));
            RedisFixture.connect(connector);
            connector.announce(SlotMap.ofEqualShares(2, List.of(P1)));
            RedisConnection connection = RedisFixture.connect(connector);

            assertThat(field("map:")).isEqualTo("v2 p1 0-16383 | v2 p1=0-16383");
            assertThat(connection.send(new Command.Get(InstanceRecord.KEY), Route.plain(1), Patience.UNLIMITED))
                    .succeedsWithin(10, TimeUnit.SECONDS)
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STALE_ROUTE));
        }

        @Test
        void olderMapThanClientsMustHave_isOutdated() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            RedisFixture.done(connection, new FenceCommand.SetMinVersion(3));
            RedisConnector connector = connector(new PartitionIdentity(P1, TWO, "", false, Adoption.UNUSED));

            ConnectFailure failure = failureOf(connector);

            assertThat(failure.kind()).isEqualTo(Kind.OUTDATED);
            assertThat(failure.mapVersion()).isEqualTo(3);
            assertThat(failure).hasMessageContaining("version 3").hasMessageContaining("this client has version 1");
            connector.announce(SlotMap.ofEqualShares(3, List.of(P1, P2)));
            assertThat(RedisFixture.connect(connector).lost()).isNotDone();
        }

        @Test
        void connectionWithAnOlderMapThanClientsMustHave_isClosedWithinASecondOfUse() throws Exception {
            RedisConnection outdated = fixture.connect(server.uri());
            RedisConnection following = fixture.connect(server.uri());
            RedisFixture.done(following, new FenceCommand.SetMinVersion(3));
            assertThat(following.announce(3)).succeedsWithin(10, TimeUnit.SECONDS);

            Awaitility.await().until(() -> {
                RedisFixture.reply(outdated, RedisFixture.get("a"));
                return outdated.lost().isDone();
            });

            assertThat(outdated.lost().join()).contains("version 3");
            assertThat(following.send(RedisFixture.get("a"), Route.plain(3), Patience.UNLIMITED))
                    .succeedsWithin(10, TimeUnit.SECONDS)
                    .isInstanceOf(Reply.Done.class);
        }

        @Test
        void nameInTheListOfClients_saysWhichMapEverythingBehindItIsRoutedBy() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            assertThat(plain.clientList()).contains("name=keyslot:test:1 ");

            assertThat(connection.announce(2)).succeedsWithin(10, TimeUnit.SECONDS);

            assertThat(plain.clientList()).contains("name=keyslot:test:2 ").doesNotContain("name=keyslot:test:1 ");
            assertThat(RedisFixture.reply(connection, RedisFixture.get("a")))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STALE_ROUTE));
        }

        @Test
        void otherSlotsOfAnOlderMap_areOutdated() throws Exception {
            RedisConnector newer = connector(
                    new PartitionIdentity(P1, SlotMap.ofEqualShares(2, List.of(P1)), "", false, Adoption.UNUSED));
            RedisFixture.connect(newer);

            assertThat(failureOf(connector(new PartitionIdentity(P1, TWO, "", false, Adoption.UNUSED)))
                            .kind())
                    .isEqualTo(Kind.OUTDATED);
        }

        @Test
        void otherNamespace_isRejectedNamingBothAndTheSetting() throws Exception {
            RedisFixture.connect(connector(new PartitionIdentity(P1, TWO, "shop", false, Adoption.UNUSED)));

            ConnectFailure failure =
                    failureOf(connector(new PartitionIdentity(P1, TWO, "bank", false, Adoption.UNUSED)));

            assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
            assertThat(failure)
                    .hasMessageContaining("'shop'")
                    .hasMessageContaining("'bank'")
                    .hasMessageContaining("sharedInstances: true");
            assertThat(plain.hexists(InstanceRecord.KEY.bytes(), bytes("map:bank")))
                    .isFalse();
        }

        @Test
        void newerFormat_isRejected() throws Exception {
            plain.hset(InstanceRecord.KEY.bytes(), Map.of(bytes("format"), bytes("3")));

            ConnectFailure failure = failureOf(fixture.connector(server.uri()));

            assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
            assertThat(failure).hasMessageContaining("newer version of Keyslot");
        }

        private RedisConnector connector(PartitionIdentity identity) {
            return fixture.connector(server.uri(), identity, PATIENT);
        }

        private String field(String name) {
            return new String(plain.hget(InstanceRecord.KEY.bytes(), bytes(name)), StandardCharsets.UTF_8);
        }
    }

    @Nested
    class Credentials {
        private final LocalServer server = servers.start("--requirepass", PASSWORD);

        @Test
        void missingPassword_isRejectedSayingWhereToPutIt() throws Exception {
            ConnectFailure failure = failureOf(fixture.connector(server.uri()));

            assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
            assertThat(failure).hasMessageContaining("asks for a password");
        }
    }

    @Test
    void serverWithTooManyClients_isUnreachableForNow() throws Exception {
        LocalServer server = servers.start("--maxclients", "1");
        fixture.plain(server.uri());

        ConnectFailure failure = failureOf(fixture.connector(server.uri()));

        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure).hasMessageContaining("maxclients");
    }

    @Test
    void serverOfAnotherProtocol_isRejectedAndNamedAsSuch() throws Exception {
        try (ServerSocket http = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answerAsHttp(http));

            ConnectFailure failure = failureOf(fixture.connector("redis://127.0.0.1:" + http.getLocalPort()));

            assertThat(answered).succeedsWithin(Duration.ofSeconds(10));
            assertThat(failure.kind()).isEqualTo(Kind.REJECTED);
            assertThat(failure).hasMessageContaining("does not speak the protocol of Redis");
        }
    }

    private static void answerAsHttp(ServerSocket http) {
        try (Socket client = http.accept()) {
            assertThat(client.getInputStream().read()).isNotNegative();
            client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void replica_isUnreachableForNow() throws Exception {
        LocalServer primary = servers.start();
        LocalServer replica = servers.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));

        ConnectFailure failure = failureOf(fixture.connector(replica.uri()));

        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure).hasMessageContaining("not a primary");
    }
}
