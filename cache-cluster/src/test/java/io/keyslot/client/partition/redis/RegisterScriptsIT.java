// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.bytes;
import static io.keyslot.client.partition.redis.RedisFixture.connect;
import static io.keyslot.client.partition.redis.RedisFixture.done;
import static io.keyslot.client.partition.redis.RedisFixture.put;
import static io.keyslot.client.partition.redis.RedisFixture.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.client.register.AcceptorState;
import io.keyslot.client.register.Ballot;
import io.keyslot.client.register.DecidedValue;
import io.keyslot.client.register.Generation;
import io.keyslot.client.register.RegisterChange;
import io.keyslot.client.register.RegisterValue;
import io.keyslot.client.register.Voters;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The scripts of the register on servers: they answer as {@link AcceptorState} does, whatever happens to the server. */
@SideBySide
class RegisterScriptsIT {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int STEPS = Integer.getInteger("tests.register.steps", 600);
    private static final Generation FIRST = new Generation(1, "a");
    private static final Generation RIVAL = new Generation(1, "b");
    private static final Generation SECOND = new Generation(2, "c");

    private final LocalServers servers = TestServers.none();
    private final RedisFixture fixture = new RedisFixture();
    private final LocalServer server = servers.start();
    private final RedisCommands<byte[], byte[]> plain = fixture.plain(server.uri());

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    private static AcceptorAnswer ask(PartitionConnection connection, AcceptorRequest request) throws Exception {
        return done(connection, new RegisterCommand("shop", request));
    }

    private static Ballot ballot(int number) {
        return new Ballot("%016d-p".formatted(number));
    }

    private static RegisterValue value(long sequence, String text, String incarnation) {
        return new RegisterValue(
                sequence,
                sequence,
                text,
                new Voters(Map.of(new PartitionId("p1"), incarnation)),
                Voters.NONE,
                List.of(new RegisterChange("op" + sequence, sequence)));
    }

    /** Begins a life, promises and accepts; returns the life. */
    private static String accepting(PartitionConnection connection, String text) throws Exception {
        AcceptorAnswer begun = ask(connection, new AcceptorRequest.Begin(FIRST, "n", AcceptorRequest.Begin.LOST));
        String incarnation = ((AcceptorAnswer.Begun) begun).incarnation();
        assertThat(ask(connection, new AcceptorRequest.Prepare(FIRST, ballot(1))))
                .isEqualTo(new AcceptorAnswer.Promised(incarnation, Ballot.NONE, null));
        assertThat(ask(
                        connection,
                        new AcceptorRequest.Accept(FIRST, ballot(1), value(1, text, incarnation), incarnation, "")))
                .isEqualTo(new AcceptorAnswer.Accepted(incarnation));
        assertThat(ask(connection, new AcceptorRequest.Copy(new DecidedValue(FIRST, value(1, text, incarnation)))))
                .isEqualTo(new AcceptorAnswer.Copied());
        return incarnation;
    }

    @Test
    void generatedRequests_areAnsweredAsByThePureState() throws Exception {
        PartitionConnection connection = fixture.connect(server.uri());
        Random random = new Random(14);
        AcceptorState state = AcceptorState.BLANK;
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(60) == 0) {
                plain.del(bytes("keyslot:map:shop"));
                state = AcceptorState.BLANK;
            }
            AcceptorRequest request = request(random, state, step);
            AcceptorAnswer answer = ask(connection, request);
            String time = answer instanceof AcceptorAnswer.Begun begun
                    ? begun.incarnation().substring(begun.incarnation().indexOf('-') + 1)
                    : "";
            AcceptorState.Applied expected = state.on(request, "r", time);
            assertThat(answer).as("step %d: %s to %s", step, request, state).isEqualTo(expected.answer());
            state = expected.state();
        }
    }

    private static AcceptorRequest request(Random random, AcceptorState state, int step) {
        Generation generation = random.nextInt(8) == 0
                ? List.of(RIVAL, SECOND).get(random.nextInt(2))
                : state.generation() == null ? FIRST : state.generation();
        int next = (int) Long.parseLong(
                        state.promise().text().isEmpty()
                                ? "0"
                                : state.promise().text().substring(0, 16))
                + random.nextInt(4)
                - 1;
        Ballot ballot = ballot(Math.max(0, next));
        String incarnation = random.nextInt(8) == 0 ? "other" : state.incarnation();
        return switch (random.nextInt(11)) {
            case 0 ->
                new AcceptorRequest.Begin(
                        generation,
                        "n" + step,
                        random.nextBoolean()
                                ? AcceptorRequest.Begin.LOST
                                : incarnation + "/"
                                        + (random.nextInt(3) == 0
                                                ? ""
                                                : state.ballot().text()));
            case 1, 2, 3 -> new AcceptorRequest.Prepare(generation, ballot);
            case 4, 5, 6 ->
                random.nextBoolean()
                        ? new AcceptorRequest.Accept(
                                generation, ballot, value(step, "t\n\nä" + step, "x"), incarnation, "")
                        : new AcceptorRequest.Accept(generation, ballot, value(step, "", "x"), "none", incarnation);
            case 7 ->
                new AcceptorRequest.Copy(
                        new DecidedValue(generation, value(step - random.nextInt(3), "c" + step, "x")));
            case 8, 9 -> new AcceptorRequest.ReadStamp();
            default -> new AcceptorRequest.Read();
        };
    }

    @Test
    void aServerThatForgets_hasNoVote_untilANewIncarnation() throws Exception {
        PartitionConnection connection = fixture.connect(server.uri());
        String incarnation = accepting(connection, "map");

        plain.flushall();

        assertThat(ask(connection, new AcceptorRequest.Prepare(FIRST, ballot(2))))
                .isEqualTo(new AcceptorAnswer.Lost());
        assertThat(ask(
                        connection,
                        new AcceptorRequest.Accept(FIRST, ballot(1), value(1, "map", incarnation), incarnation, "")))
                .isEqualTo(new AcceptorAnswer.Lost());
        AcceptorAnswer begun = ask(connection, new AcceptorRequest.Begin(FIRST, "n", AcceptorRequest.Begin.LOST));
        assertThat(begun).isInstanceOf(AcceptorAnswer.Begun.class).isNotEqualTo(new AcceptorAnswer.Begun(incarnation));
        assertThat(ask(
                        connection,
                        new AcceptorRequest.Accept(FIRST, ballot(1), value(1, "map", incarnation), incarnation, "")))
                .isInstanceOf(AcceptorAnswer.NoVote.class);
    }

    @Test
    void aServerThatReadsItsFile_hasNoVote_butItsCopy() throws Exception {
        String incarnation = accepting(fixture.connect(server.uri()), "map");
        plain.save();

        server.kill();
        server.restart();

        PartitionConnection connection = fixture.connect(server.uri());
        assertThat(ask(connection, new AcceptorRequest.Prepare(FIRST, ballot(2))))
                .isEqualTo(new AcceptorAnswer.Lost());
        AcceptorAnswer.Viewed view = (AcceptorAnswer.Viewed) ask(connection, new AcceptorRequest.Read());
        assertThat(view.isAlive()).isFalse();
        assertThat(view.incarnation()).isEqualTo(incarnation);
        assertThat(view.copy()).isEqualTo(new DecidedValue(FIRST, value(1, "map", incarnation)));
    }

    @Test
    void aReplicaThatIsPromoted_andTheOldPrimaryThatComesBack_haveNoVote() throws Exception {
        LocalServer replica = servers.start();
        RedisCommands<byte[], byte[]> ofReplica = fixture.plain(replica.uri());
        accepting(fixture.connect(server.uri()), "map");
        follow(ofReplica, server);

        // The replica takes over, the old primary follows it, and comes back with its own run id and what the replica
        // had.
        ofReplica.replicaofNoOne();
        assertThat(ask(fixture.connect(replica.uri()), new AcceptorRequest.Prepare(FIRST, ballot(2))))
                .isEqualTo(new AcceptorAnswer.Lost());
        follow(plain, replica);
        plain.replicaofNoOne();

        assertThat(ask(fixture.connect(server.uri()), new AcceptorRequest.Prepare(FIRST, ballot(2))))
                .isEqualTo(new AcceptorAnswer.Lost());
        assertThat(ask(fixture.connect(server.uri()), new AcceptorRequest.ReadStamp()))
                .isInstanceOfSatisfying(
                        AcceptorAnswer.Stamped.class,
                        stamped -> assertThat(stamped.copy()).isNotNull());
    }

    private static void follow(RedisCommands<byte[], byte[]> follower, LocalServer primary) {
        follower.replicaof("127.0.0.1", primary.port());
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> follower.info("replication").contains("master_link_status:up"));
    }

    @Test
    void aFullServer_promisesAndAccepts() throws Exception {
        PartitionConnection connection = fixture.connect(server.uri());
        String incarnation = accepting(connection, "map");

        plain.configSet("maxmemory", "1");

        assertThat(reply(connection, put("a", "b")))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.NOT_WRITABLE));
        assertThat(ask(connection, new AcceptorRequest.Prepare(FIRST, ballot(2))))
                .isInstanceOf(AcceptorAnswer.Promised.class);
        assertThat(ask(
                        connection,
                        new AcceptorRequest.Accept(FIRST, ballot(2), value(2, "next", incarnation), incarnation, "")))
                .isEqualTo(new AcceptorAnswer.Accepted(incarnation));
        assertThat(ask(connection, new AcceptorRequest.Copy(new DecidedValue(FIRST, value(2, "next", incarnation)))))
                .isEqualTo(new AcceptorAnswer.Copied());
    }

    private void acl(String... rules) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add("SETUSER").add("limited");
        Stream.of(rules).forEach(arguments::add);
        plain.dispatch(CommandType.ACL, new StatusOutput<>(ByteArrayCodec.INSTANCE), arguments);
    }

    @Test
    void withoutARight_nothingIsChanged_andWithoutInfoTheHandshakeTellsTheServerRun() throws Exception {
        acl("on", ">secret", "~*", "&*", "+@all");
        PartitionConnection connection =
                connect(fixture.connector("redis://limited:secret@127.0.0.1:" + server.port()));
        String incarnation = accepting(connection, "map");
        PartitionConnection other = fixture.connect(server.uri());
        AcceptorAnswer before = ask(other, new AcceptorRequest.Read());

        for (String right : List.of("hset", "hdel", "hmget", "eval")) {
            acl("-" + right, "-evalsha");
            for (AcceptorRequest request : List.of(
                    new AcceptorRequest.Begin(
                            SECOND, "n", incarnation + "/" + ballot(1).text()),
                    new AcceptorRequest.Prepare(FIRST, ballot(9)),
                    new AcceptorRequest.Accept(FIRST, ballot(9), value(9, "x", incarnation), incarnation, ""),
                    new AcceptorRequest.Copy(new DecidedValue(SECOND, value(9, "x", incarnation))))) {
                assertThat(refusedInTheEnd(connection, request))
                        .as("%s without %s", request, right)
                        .isTrue();
            }
            acl("+" + right, "+evalsha");
        }
        assertThat(ask(other, new AcceptorRequest.Read())).isEqualTo(before);

        acl("-info");
        assertThat(ask(connection, new AcceptorRequest.Prepare(FIRST, ballot(9))))
                .isInstanceOf(AcceptorAnswer.Promised.class);
    }

    /** A script that was called by its digest is sent in full the next time. */
    private static boolean refusedInTheEnd(PartitionConnection connection, AcceptorRequest request) throws Exception {
        Command<AcceptorAnswer> command = new RegisterCommand("shop", request);
        Reply<AcceptorAnswer> reply = reply(connection, command);
        return reply instanceof Reply.Refused<AcceptorAnswer> refused
                && (!refused.refusal().isWorthAnotherAttempt()
                        || reply(connection, command) instanceof Reply.Refused<AcceptorAnswer>);
    }
}
