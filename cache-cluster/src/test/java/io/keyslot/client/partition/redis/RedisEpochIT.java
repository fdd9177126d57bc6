// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.P1;
import static io.keyslot.client.partition.redis.RedisFixture.PATIENT;
import static io.keyslot.client.partition.redis.RedisFixture.TWO;
import static io.keyslot.client.partition.redis.RedisFixture.bytes;
import static io.keyslot.client.partition.redis.RedisFixture.connect;
import static io.keyslot.client.partition.redis.RedisFixture.done;
import static io.keyslot.client.partition.redis.RedisFixture.failureOf;
import static io.keyslot.client.partition.redis.RedisFixture.get;
import static io.keyslot.client.partition.redis.RedisFixture.put;
import static io.keyslot.client.partition.redis.RedisFixture.reply;
import static io.keyslot.client.partition.redis.RedisFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Lookup;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The epoch that clients of a server agree on, also if it refuses writes, and what a new epoch ends. */
@SideBySide
class RedisEpochIT {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Command.NewEpoch NEW_EPOCH = new Command.NewEpoch();

    private final LocalServers servers = TestServers.none();
    private final RedisFixture fixture = new RedisFixture();
    private final LocalServer server = servers.start();
    private final RedisCommands<byte[], byte[]> plain = fixture.plain(server.uri());

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    private Incarnation incarnation() {
        return Incarnation.parse(recorded()).orElseThrow();
    }

    private String recorded() {
        return Resp.text(fixture.plain(server.uri()).hget(InstanceRecord.KEY.bytes(), bytes(Incarnation.FIELD)));
    }

    private void acl(String... rules) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add("SETUSER").add("limited");
        Stream.of(rules).forEach(arguments::add);
        plain.dispatch(CommandType.ACL, new StatusOutput<>(ByteArrayCodec.INSTANCE), arguments);
    }

    private String uriOfLimitedUser() {
        return "redis://limited:secret@127.0.0.1:" + server.port();
    }

    /** The rights that docs/operations.md asks for. */
    @Nested
    class SameProcess {
        @Test
        void manyClientsAtOnce_comeIntoOneIncarnationAndStay() throws Exception {
            List<CompletableFuture<PartitionConnection>> connecting =
                    Stream.generate(() -> fixture.connector(server.uri())).limit(20).toList().stream()
                            .map(RedisConnector::connect)
                            .toList();

            for (CompletableFuture<PartitionConnection> connection : connecting) {
                PartitionConnection open = connection.get(20, TimeUnit.SECONDS);
                assertThat(open.epoch()).isEqualTo(incarnation().epoch());
                assertThat(done(open, get("a"))).isEqualTo(Lookup.absent());
            }
            assertThat(incarnation().ancestors()).isEmpty();
        }

        @Test
        void incarnationThatSomebodyHasBegunAndLeft_isOpenedByTheNext() throws Exception {
            RedisConnection before = fixture.connect(server.uri());
            Incarnation beginning = Incarnation.after(
                    Optional.of(incarnation()),
                    Optional.empty(),
                    incarnation().serverRun(),
                    Incarnation.randomIds(new Random()));
            plain.hset(InstanceRecord.KEY.bytes(), Map.of(bytes(Incarnation.FIELD), bytes(beginning.text())));

            RedisConnection next = fixture.connect(server.uri());

            assertThat(incarnation()).isEqualTo(beginning.opened());
            assertThat(next.epoch()).isEqualTo(beginning.epoch());
            assertThat(before.lost()).succeedsWithin(LIMIT);
        }

        @Test
        void clientThatDoesNotAdopt_comesToTheSameEpochAndWritesNothing() throws Exception {
            PartitionIdentity looking = new PartitionIdentity(P1, TWO, "", false, Adoption.NEVER);
            RedisConnection before = connect(fixture.connector(server.uri(), looking, PATIENT));
            assertThat(plain.exists(InstanceRecord.KEY.bytes())).isZero();
            RedisConnection adopting = fixture.connect(server.uri());
            RedisConnection after = connect(fixture.connector(server.uri(), looking, PATIENT));

            assertThat(before.lost()).succeedsWithin(LIMIT);
            assertThat(before.epoch()).isNotEqualTo(adopting.epoch());
            assertThat(after.epoch()).isEqualTo(adopting.epoch());
            assertThat(adopting.lost()).isNotDone();
        }

        @Test
        void recordThatNobodyCanRead_isReplaced() throws Exception {
            plain.hset(InstanceRecord.KEY.bytes(), Map.of(bytes(Incarnation.FIELD), bytes("nonsense")));

            RedisConnection connection = fixture.connect(server.uri());

            assertThat(incarnation().epoch()).isEqualTo(connection.epoch());
        }
    }

    @Nested
    class ServerThatRefusesWrites {
        @Test
        void fullServer_canBeMadeToForget() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(connection, put("a", "one"));
            plain.configSet("maxmemory", "1");

            assertThat(done(connection, NEW_EPOCH)).isTrue();

            assertThat(done(fixture.connect(server.uri()), get("a")).outcome()).isEqualTo(Lookup.Outcome.OTHER_EPOCH);
        }

        @Test
        void serverThatTakesNoWritesInItsIncarnation_canBeConnectedToAndReadFrom() throws Exception {
            RedisConnection first = fixture.connect(server.uri());
            done(first, put("a", "one"));
            plain.configSet("min-replicas-to-write", "1");

            RedisConnection second = fixture.connect(server.uri());

            assertThat(second.epoch()).isEqualTo(first.epoch());
            assertThat(text(done(second, get("a")))).isEqualTo("one");
            assertThat(reply(second, put("a", "two")))
                    .isEqualTo(Reply.refused(
                            Refusal.NOT_WRITABLE,
                            ServerError.parse("NOREPLICAS").detail()));
        }

        @Test
        void serverThatTakesNoWritesAndHasNoIncarnation_isUnreachableForNow() throws Exception {
            plain.configSet("min-replicas-to-write", "1");
            RedisConnector connector = fixture.connector(server.uri());

            ConnectFailure failure = failureOf(connector);
            plain.configSet("min-replicas-to-write", "0");

            assertThat(failure.kind()).isEqualTo(ConnectFailure.Kind.UNREACHABLE);
            assertThat(failure).hasMessageContaining("takes no writes for now");
            assertThat(connect(connector).lost()).isNotDone();
        }
    }

    @Nested
    class NewEpoch {
        @Test
        void otherClient_neverServesWhatWasThereBefore() throws Exception {
            RedisConnector others = fixture.connector(server.uri());
            RedisConnection other = connect(others);
            RedisConnection ours = fixture.connect(server.uri());
            done(ours, put("a", "old"));
            assertThat(text(done(other, get("a")))).isEqualTo("old");

            assertThat(done(ours, NEW_EPOCH)).isTrue();

            assertThat(reply(other, get("a"))).isNotInstanceOf(Reply.Done.class);
            assertThat(other.lost()).succeedsWithin(LIMIT);
            assertThat(ours.lost()).succeedsWithin(LIMIT).isEqualTo("the epoch was ended");
            assertThat(done(connect(others), get("a")).outcome()).isEqualTo(Lookup.Outcome.OTHER_EPOCH);
        }

        @Test
        void plainClients_keepTheirConnections() throws Exception {
            long id = plain.clientId();

            done(fixture.connect(server.uri()), NEW_EPOCH);

            assertThat(plain.clientId()).isEqualTo(id);
        }

        @Test
        void withoutTheRightToDropOthers_worksAndOthersFollowWhenTheyLookAgain() throws Exception {
            acl("on", ">secret", "~*", "+@all", "-client|list", "-client|kill");
            RedisConnection other = fixture.connect(server.uri());
            RedisConnection ours = fixture.connect(uriOfLimitedUser());
            done(ours, put("a", "old"));

            assertThat(done(ours, NEW_EPOCH)).isTrue();

            RedisConnection next = fixture.connect(uriOfLimitedUser());
            assertThat(done(next, get("a")).outcome()).isEqualTo(Lookup.Outcome.OTHER_EPOCH);
            Awaitility.await().atMost(LIMIT).until(() -> !(reply(other, get("a")) instanceof Reply.Done<Lookup>));
            assertThat(other.lost()).succeedsWithin(LIMIT).isEqualTo("the partition's epoch has changed");
        }
    }
}
