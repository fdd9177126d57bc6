// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.bytes;
import static io.keyslot.client.partition.redis.RedisFixture.connect;
import static io.keyslot.client.partition.redis.RedisFixture.done;
import static io.keyslot.client.partition.redis.RedisFixture.get;
import static io.keyslot.client.partition.redis.RedisFixture.identity;
import static io.keyslot.client.partition.redis.RedisFixture.put;
import static io.keyslot.client.partition.redis.RedisFixture.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is served after {@code keyslot:meta} was lost, and after a primary came back that others had replaced. */
@Tag("thorough")
@SideBySide
class LostEpochIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** More than a connection goes without looking at the epoch. */
    private static final Duration LONGEST_WITHOUT_A_LOOK = Duration.ofSeconds(1);

    private static final EncodedKey META = EncodedKey.of("keyslot:meta");
    private static final Command.NewEpoch NEW_EPOCH = new Command.NewEpoch();

    private final LocalServers servers = TestServers.none();
    private final RedisFixture fixture = new RedisFixture();
    private final LocalServer a = servers.start();
    private final RedisCommands<byte[], byte[]> plainA = fixture.plain(a.uri());

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    private static Command.CompareAndSet putIfAbsent(String key, String value) {
        Command.Put put = put(key, value);
        return new Command.CompareAndSet(put.key(), Command.ABSENT, put.envelope(), Expiry.NEVER);
    }

    private static boolean isFound(RedisConnection connection, String key) throws Exception {
        return done(connection, get(key)).isFound();
    }

    /** The answer of one that says yes. A connection that is closed meanwhile has won nothing. */
    private static boolean wins(RedisConnection connection, Command<Boolean> command) throws Exception {
        return reply(connection, command) instanceof Reply.Done<Boolean> done && done.value();
    }

    @Nested
    class RecordThatIsLost {
        @Test
        void whatWasGivenUp_isNotServedAgainAfterTheRecordWasDeleted() throws Exception {
            RedisConnection first = fixture.connect(a.uri());
            done(first, put("a", "v1"));
            done(first, NEW_EPOCH);
            done(fixture.connect(a.uri()), put("b", "v2"));

            plainA.del(META.bytes());
            RedisConnection next = fixture.connect(a.uri());

            assertThat(plainA.exists(bytes("a"), bytes("b"))).isEqualTo(2);
            assertThat(isFound(next, "a")).isFalse();
            assertThat(isFound(next, "b")).isFalse();
        }

        @Test
        void whatWasGivenUp_isNotServedAgainAfterTheRecordWasEvicted() throws Exception {
            RedisConnection first = fixture.connect(a.uri());
            List<String> old =
                    IntStream.range(0, 2_000).mapToObj(i -> "old:" + i).toList();
            for (String key : old) {
                done(first, put(key, "v1"));
            }
            done(first, NEW_EPOCH);
            fixture.connect(a.uri()).close();
            evictRecord();

            RedisConnection next = fixture.connect(a.uri());

            byte[][] keys = old.stream().map(RedisFixture::bytes).toArray(byte[][]::new);
            assertThat(plainA.exists(keys)).isPositive();
            for (String key : old) {
                assertThat(isFound(next, key)).describedAs(key).isFalse();
            }
        }

        private void evictRecord() {
            plainA.configSet("maxmemory-policy", "allkeys-random");
            plainA.configSet("maxmemory", "4mb");
            byte[] value = new byte[1_000];
            for (int i = 0; plainA.exists(META.bytes()) > 0; i++) {
                plainA.set(bytes("filler:" + i), value);
            }
        }
    }

    @Nested
    class TwoServers {
        private final LocalServer b = servers.start();
        private final HoldingProxy address = proxyTo(a);
        private final RedisConnector process = fixture.connector(address.uri());
        private final RedisConnector other = fixture.connector(address.uri());

        @AfterEach
        void closeAddress() throws IOException {
            address.close();
        }

        @Test
        void primaryThatWasPausedAndReplaced_servesNothingToThoseWhoWereElsewhere() throws Exception {
            RedisConnection first = connect(process);
            for (String key : keys()) {
                done(first, put(key, "v1"));
            }
            follow(b, a.port());
            a.suspend();
            fixture.plain(b.uri()).replicaofNoOne();
            address.leadTo(b.port());
            RedisConnection second = connect(process);
            for (String key : keys()) {
                done(second, put(key, "v2"));
            }
            done(second, new Command.RemoveAll(List.of(EncodedKey.of("key:0"))));
            connect(other);

            b.kill();
            a.resume();
            address.leadTo(a.port());

            assertThat(plainA.exists(keys().stream().map(RedisFixture::bytes).toArray(byte[][]::new)))
                    .isEqualTo(50);
            servesNothing(connect(process));
            servesNothing(connect(other));
        }

        @Test
        void replicaThatLagsAndOnceWasPrimary_servesNothingToAnybody() throws Exception {
            RedisConnection first = connect(process);
            for (String key : keys()) {
                done(first, put(key, "v1"));
            }
            follow(b, a.port());
            fixture.plain(b.uri()).replicaofNoOne();
            try (HoldingProxy replication = proxyTo(b)) {
                follow(a, portOf(replication));
            }
            address.leadTo(b.port());
            RedisConnection second = connect(process);
            for (String key : keys()) {
                done(second, put(key, "v2"));
            }
            b.kill();
            plainA.replicaofNoOne();
            address.leadTo(a.port());
            assertThat(new String(plainA.get(bytes("key:0")), StandardCharsets.ISO_8859_1))
                    .endsWith("v1");

            assertThat(plainA.exists(keys().stream().map(RedisFixture::bytes).toArray(byte[][]::new)))
                    .isEqualTo(50);
            servesNothing(connect(other));
            servesNothing(connect(process));
        }

        @Test
        void connectionThatOutlivesTwoFailovers_doesNotWinBesideANewOne() throws Exception {
            RedisConnection outliving = connect(process);
            done(outliving, put("a", "v1"));
            follow(b, a.port());
            fixture.plain(b.uri()).replicaofNoOne();
            fixture.connect(b.uri());
            follow(a, b.port());
            plainA.replicaofNoOne();

            RedisConnection fresh = connect(other);

            atMostOneWins(outliving, fresh);
        }

        @Test
        void connectionThatOutlivesTwoFailovers_isNotAnsweredInItsOldEpoch() throws Exception {
            RedisConnection outliving = connect(process);
            done(outliving, put("a", "v1"));
            follow(b, a.port());
            fixture.plain(b.uri()).replicaofNoOne();
            follow(a, b.port());
            plainA.replicaofNoOne();
            awaitTheNextLook();

            assertThat(reply(outliving, get("a"))).isInstanceOf(Reply.Unknown.class);
            assertThat(outliving.lost()).succeedsWithin(LIMIT).isEqualTo("the partition's epoch has changed");
        }

        private List<String> keys() {
            return IntStream.range(0, 50).mapToObj(i -> "key:" + i).toList();
        }

        private void servesNothing(RedisConnection connection) throws Exception {
            for (String key : keys()) {
                assertThat(isFound(connection, key)).describedAs(key).isFalse();
            }
        }

        private HoldingProxy proxyTo(LocalServer server) {
            try {
                return new HoldingProxy(server.port());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static int portOf(HoldingProxy proxy) {
            return URI.create(proxy.uri()).getPort();
        }

        private void follow(LocalServer replica, int port) {
            RedisCommands<byte[], byte[]> commands = fixture.plain(replica.uri());
            commands.replicaof("127.0.0.1", port);
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> commands.info("replication").contains("master_link_status:up"));
        }
    }

    @Nested
    class RecordThatIsFlushed {
        @Test
        void writersBeforeAndAfterTheFlush_doNotBothWin() throws Exception {
            done(fixture.connect(a.uri()), NEW_EPOCH);
            RedisConnection before = fixture.connect(a.uri());
            plainA.flushall();

            RedisConnection after = fixture.connect(a.uri());

            atMostOneWins(before, after);
        }

        @Test
        void writerThatDoesNotRead_findsOutByItself() throws Exception {
            RedisConnection writer = fixture.connect(a.uri());
            plainA.flushall();
            awaitTheNextLook();

            assertThat(reply(writer, put("a", "v1"))).isInstanceOf(Reply.Unknown.class);
            assertThat(writer.lost()).succeedsWithin(LIMIT).isEqualTo("the partition's epoch has changed");
        }
    }

    /** The answers of a look may be so late that nobody waits for them any more. */
    @Test
    void answerBehindALateLook_isNotTaken() throws Exception {
        Deadlines hasty = RedisFixture.withCommand(Duration.ofMillis(1_500));
        try (HoldingProxy network = new HoldingProxy(a.port())) {
            RedisConnection connection = connect(fixture.connector(network.uri(), identity(), hasty));
            done(connection, put("a", "v1"));
            awaitTheNextLook();
            network.hold();
            assertThat(reply(connection, get("a"))).isInstanceOf(Reply.Unknown.class);
            plainA.hdel(META.bytes(), bytes("life"));

            CompletableFuture<Reply<Lookup>> behind =
                    connection.send(get("a"), Route.plain(RedisFixture.MAP_VERSION), Patience.UNLIMITED);
            network.release();

            assertThat(behind).succeedsWithin(LIMIT).isNotInstanceOf(Reply.Done.class);
            assertThat(connection.lost()).succeedsWithin(LIMIT).isEqualTo("the partition's epoch has changed");
        }
    }

    private static void atMostOneWins(RedisConnection one, RedisConnection other) throws Exception {
        for (int i = 0; i < 50; i++) {
            String key = "contended:" + i;
            assertThat(wins(one, putIfAbsent(key, "one")) && wins(other, putIfAbsent(key, "other")))
                    .describedAs(key)
                    .isFalse();
        }
    }

    /** The connection was opened longer ago than it goes without looking. */
    private static void awaitTheNextLook() {
        Awaitility.await().atMost(LIMIT).pollDelay(LONGEST_WITHOUT_A_LOOK).until(() -> true);
    }
}
