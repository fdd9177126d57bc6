// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.MAP_VERSION;
import static io.keyslot.client.partition.redis.RedisFixture.bytes;
import static io.keyslot.client.partition.redis.RedisFixture.done;
import static io.keyslot.client.partition.redis.RedisFixture.get;
import static io.keyslot.client.partition.redis.RedisFixture.identity;
import static io.keyslot.client.partition.redis.RedisFixture.put;
import static io.keyslot.client.partition.redis.RedisFixture.reply;
import static io.keyslot.client.partition.redis.RedisFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RedisFaultIT {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Deadlines IMPATIENT = RedisFixture.withCommand(Duration.ofMillis(500));

    private final LocalServers servers = TestServers.none();
    private final LocalServer server = servers.start();
    private final RedisFixture fixture = new RedisFixture();

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    @Nested
    class Restart {
        @Test
        void commandInFlightWhenTheServerIsKilled_isUnknown() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            server.suspend();
            CompletableFuture<Reply<Boolean>> reply =
                    connection.send(put("a", "one"), Route.plain(MAP_VERSION), Patience.UNLIMITED);
            // Passes the same event loop behind the command: when it is refused, the command was written.
            connection
                    .send(get("a"), Route.plain(MAP_VERSION - 1), Patience.UNLIMITED)
                    .get(10, TimeUnit.SECONDS);

            server.kill();

            assertThat(reply).succeedsWithin(LIMIT).isInstanceOf(Reply.Unknown.class);
        }

        @Test
        void entriesOfAnOldFile_areMissesAfterARestart() throws Exception {
            RedisConnector connector = fixture.connector(server.uri());
            RedisConnection before = RedisFixture.connect(connector);
            done(before, put("a", "old"));
            fixture.plain(server.uri()).save();

            server.restart();
            RedisConnection after = RedisFixture.connect(connector);

            assertThat(after.epoch()).isNotEqualTo(before.epoch());
            assertThat(fixture.plain(server.uri()).exists(bytes("a"))).isOne();
            assertThat(done(after, get("a")).outcome()).isEqualTo(Lookup.Outcome.OTHER_EPOCH);
        }

        @Test
        void scripts_areLoadedAgainAfterTheServerForgotThem() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            Command.Put put = put("a", "one");
            Command.Put scripted =
                    new Command.Put(put.key(), put.envelope(), Expiry.afterMillis(60_000), Expiry.UNCHANGED);
            done(connection, scripted);

            fixture.plain(server.uri()).scriptFlush();

            assertThat(reply(connection, scripted))
                    .isEqualTo(Reply.refused(Refusal.NOT_NOW, "the server has forgotten a script"));
            assertThat(done(connection, scripted)).isTrue();
            assertThat(done(
                            connection,
                            new Command.CompareAndRemove(
                                    put.key(), put.envelope().stamp())))
                    .isTrue();
        }
    }

    /** As in a process that has just started and whose event loop loads classes. */
    @Nested
    class BusyEventLoop {
        @Test
        void timeInWhichNothingCanBeRead_doesNotCountForAConnect() {
            RedisConnector busy = fixture.connector(server.uri());
            RedisConnector connector =
                    fixture.connector(server.uri(), identity(), new Deadlines(LIMIT, LIMIT, Duration.ofSeconds(1)));
            CompletableFuture<Boolean> isBusy = new CompletableFuture<>();
            CompletableFuture<Boolean> over = new CompletableFuture<>();
            CompletableFuture<Boolean> rest =
                    busy.ask(redis -> redis.clientId().toCompletableFuture().thenApply(id -> {
                        isBusy.complete(true);
                        return over.join();
                    }));
            assertThat(isBusy).succeedsWithin(LIMIT);

            CompletableFuture<PartitionConnection> connected = connector.connect();

            // With a second event loop it may be done at once.
            assertThat(connected.copy().completeOnTimeout(null, 2_500, TimeUnit.MILLISECONDS))
                    .succeedsWithin(LIMIT);
            over.complete(true);
            assertThat(connected).succeedsWithin(LIMIT);
            assertThat(rest).succeedsWithin(LIMIT).isEqualTo(true);
        }
    }

    @Nested
    class Silence {
        @Test
        void serverThatDoesNotAnswer_leavesTheOutcomeUnknownInTime() throws Exception {
            RedisConnection connection = RedisFixture.connect(connector(server.uri()));
            server.suspend();

            Reply<Boolean> reply = reply(connection, put("a", "one"));

            assertThat(reply).isInstanceOf(Reply.Unknown.class);
            assertThat(connection.lost()).isNotDone();
        }

        @Test
        void answersThatComeAfterTheTimeout_doNotConfuseLaterCommands() throws Exception {
            RedisConnection connection = RedisFixture.connect(connector(server.uri()));
            done(connection, put("a", "of a"));
            done(connection, put("b", "of b"));
            server.suspend();
            assertThat(reply(connection, get("a"))).isInstanceOf(Reply.Unknown.class);

            server.resume();

            assertThat(text(done(connection, get("b")))).isEqualTo("of b");
        }

        @Test
        void timedOutWrite_isNotExecutedAfterTheReconnect() throws Exception {
            RedisConnector connector = connector(server.uri());
            RedisConnection first = RedisFixture.connect(connector);
            server.suspend();
            assertThat(reply(first, put("a", "timed out"))).isInstanceOf(Reply.Unknown.class);
            first.close();

            server.resume();
            RedisConnection second = RedisFixture.connect(connector);
            done(second, put("a", "acknowledged"));

            assertThat(text(done(second, get("a")))).isEqualTo("acknowledged");
        }

        @Test
        void timedOutWriteThatTheNetworkDeliversLate_isNotExecuted() throws Exception {
            assertThat(valueAfterLateDelivery("default:nobody")).isEqualTo("acknowledged");
        }

        /** Shows that the network of the test above does deliver, and why the permission is asked for. */
        @Test
        void withoutThePermissionToEndConnections_itIsExecutedLate() throws Exception {
            RedisCommands<byte[], byte[]> plain = fixture.plain(server.uri());
            plain.dispatch(
                    CommandType.ACL,
                    new StatusOutput<>(ByteArrayCodec.INSTANCE),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE)
                            .add("SETUSER")
                            .add("limited")
                            .add("on")
                            .add(">secret")
                            .add("~*")
                            .add("+@all")
                            .add("-client|kill"));

            assertThat(valueAfterLateDelivery("limited:secret")).isEqualTo("timed out");
        }

        private String valueAfterLateDelivery(String credentials) throws Exception {
            try (HoldingProxy network = new HoldingProxy(server.port())) {
                RedisConnector connector = connector(network.uri(credentials));
                RedisConnection first = RedisFixture.connect(connector);
                network.hold();
                assertThat(reply(first, put("a", "timed out"))).isInstanceOf(Reply.Unknown.class);
                first.close();

                RedisConnection second = RedisFixture.connect(connector);
                done(second, put("a", "acknowledged"));
                network.release();
                // The server reads its clients in turn: after two round trips it has seen what came before them.
                done(second, get("b"));
                done(second, get("b"));

                return text(done(second, get("a")));
            }
        }
    }

    @Nested
    class Surprises {
        @Test
        void valueOfAnotherKey_thatSomebodyCopied_keepsTheConnection() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(connection, put("a", "one"));
            RedisCommands<byte[], byte[]> plain = fixture.plain(server.uri());
            plain.set(bytes("b"), plain.get(bytes("a")));

            assertThat(done(connection, get("b")).outcome()).isEqualTo(Lookup.Outcome.OTHER_KEY);
            assertThat(done(connection, get("b")).outcome()).isEqualTo(Lookup.Outcome.OTHER_KEY);

            assertThat(text(done(connection, get("a")))).isEqualTo("one");
            assertThat(connection.lost()).isNotDone();
        }

        @Test
        void valueOfAnotherKey_whileAnswersAreOutOfStep_closesTheConnection() throws Exception {
            try (HoldingProxy network = new HoldingProxy(server.port())) {
                RedisConnection connection = fixture.connect(network.uri());
                done(connection, put("a", "one"));
                RedisCommands<byte[], byte[]> plain = fixture.plain(server.uri());
                plain.set(bytes("b"), plain.get(bytes("a")));
                network.changeAnswers(answer -> answer.replace("keyslot-1", "shifted-1"));

                done(connection, get("b"));

                assertThat(connection.lost()).succeedsWithin(LIMIT).asString().contains("out of step");
            }
        }

        @Test
        void answerOfAnotherType_closesTheConnection() throws Exception {
            try (HoldingProxy network = new HoldingProxy(server.port())) {
                RedisConnection connection = fixture.connect(network.uri());
                network.changeAnswers(answer -> answer.replace("+OK", ":17"));

                assertThat(reply(connection, put("a", "one"))).isInstanceOf(Reply.Unknown.class);
                assertThat(connection.lost()).succeedsWithin(LIMIT);
            }
        }

        @Test
        void fullServer_isNotWritableAndStillReadable() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(connection, put("a", "one"));
            fixture.plain(server.uri()).configSet("maxmemory", "1");

            assertThat(reply(connection, put("b", "two")))
                    .isEqualTo(Reply.refused(
                            Refusal.NOT_WRITABLE, ServerError.parse("OOM").detail()));
            assertThat(reply(
                            connection,
                            new Command.CompareAndSet(
                                    EncodedKey.of("b"),
                                    Command.ABSENT,
                                    put("b", "two").envelope(),
                                    Expiry.NEVER)))
                    .isEqualTo(Reply.refused(
                            Refusal.NOT_WRITABLE, ServerError.parse("OOM").detail()));
            assertThat(text(done(connection, get("a")))).isEqualTo("one");
        }
    }

    private RedisConnector connector(String uri) {
        return fixture.connector(uri, identity(), IMPATIENT);
    }
}
