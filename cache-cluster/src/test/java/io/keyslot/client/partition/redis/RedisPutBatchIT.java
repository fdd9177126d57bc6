// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.bytes;
import static io.keyslot.client.partition.redis.RedisFixture.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.ExecutedCommands.Executed;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a batch of a cache whose entries do not expire becomes a command, and what becomes of it if that is refused or lost. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class RedisPutBatchIT {
    private static final int ENTRIES = 33;
    private static final int MOST = 500;
    private static final long HOUR = 3_600_000;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final LocalServers servers = TestServers.none();
    private final LocalServer server = servers.start();
    private final RedisFixture fixture = new RedisFixture();
    private RedisConnection connection;
    private RedisCommands<byte[], byte[]> plain;

    @BeforeEach
    void connect() throws Exception {
        connection = fixture.connect(server.uri());
        plain = fixture.plain(server.uri());
    }

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    private static byte[] key(int number) {
        return bytes("customer:" + number);
    }

    private static Command.PutAll batch(String value) {
        return batch(value, ENTRIES);
    }

    /** Returns puts of two expiries, which no server stores by one command. */
    private static Command.PutAll batch(String value, int count) {
        return batch(value, count, number -> Expiry.afterMillis(HOUR + number % 2));
    }

    private static Command.PutAll expiring(String value, long millis) {
        return batch(value, ENTRIES, number -> Expiry.afterMillis(millis));
    }

    private static Command.PutAll lasting(String value) {
        return batch(value, ENTRIES, number -> Expiry.NEVER);
    }

    private static Command.PutAll batch(String value, int count, IntFunction<Expiry> expiry) {
        return new Command.PutAll(IntStream.range(0, count)
                .mapToObj(number -> put(number, value, expiry.apply(number), expiry.apply(number)))
                .toList());
    }

    private static Command.PutAll keeping(String value) {
        return keeping(value, Expiry.NEVER);
    }

    private static Command.PutAll keeping(String value, Expiry onCreation) {
        return new Command.PutAll(IntStream.range(0, ENTRIES)
                .mapToObj(number -> put(number, value, onCreation, Expiry.UNCHANGED))
                .toList());
    }

    private static Command.Put put(int number, String value, Expiry onCreation, Expiry onUpdate) {
        return new Command.Put(
                new EncodedKey(key(number)), Envelope.of(1 + number, bytes(value)), onCreation, onUpdate);
    }

    private static <R> R value(Reply<R> reply) {
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done<R>) reply).value();
    }

    private static List<Reply<Boolean>> each(Reply<Boolean> reply) {
        return Collections.nCopies(ENTRIES, reply);
    }

    @Test
    void batch_isOneSetForEachEntry_andNoScript() throws Exception {
        try (ExecutedCommands executed = ExecutedCommands.of(server)) {
            for (String value : List.of("first", "second")) {
                executed.next();

                assertThat(done(connection, batch(value))).isEqualTo(each(Reply.done(true)));

                assertThat(executed.next().stream().map(Executed::name))
                        .filteredOn(name -> name.equals("SET") || name.startsWith("EVAL"))
                        .hasSize(ENTRIES)
                        .containsOnly("SET");
            }
        }
    }

    @Test
    void batchThatLasts_isOneCommand() throws Exception {
        done(connection, expiring("expiring", HOUR));
        try (ExecutedCommands executed = ExecutedCommands.of(server)) {
            assertThat(done(connection, lasting("lasting"))).isEqualTo(each(Reply.done(true)));

            assertThat(executed.next().stream().map(Executed::name))
                    .filteredOn(name -> name.contains("SET") || name.startsWith("EVAL"))
                    .containsExactly("MSET");
        }
        assertThat(plain.pttl(key(3))).isNegative();
    }

    @Test
    void batchThatKeepsTheExpiryOfReplacedEntries_isOneScript() throws Exception {
        done(connection, batch("before", ENTRIES / 2));
        try (ExecutedCommands executed = ExecutedCommands.of(server)) {
            Command.PutAll batch = keeping("after", Expiry.afterMillis(HOUR));
            assertThat(done(connection, batch)).isEqualTo(each(Reply.done(true)));

            assertThat(executed.next().stream().map(Executed::name))
                    .filteredOn(name -> name.equals("SET") || name.startsWith("EVAL"))
                    .hasSize(1 + ENTRIES)
                    .containsOnlyOnce("EVAL");
        }
        assertExpiring("after", HOUR + 1);
    }

    /** Redis 8.4 and Valkey 9.1 have it. */
    private boolean hasMsetex() {
        return plain.commandInfo("MSETEX").get(0) != null;
    }

    private void assertExpiring(String value, long millis) {
        for (int number = 0; number < ENTRIES; number++) {
            assertThat(plain.pttl(key(number))).as("entry %d", number).isBetween(1L, millis);
            assertThat(new String(plain.get(key(number)), StandardCharsets.ISO_8859_1))
                    .endsWith(value);
        }
    }

    @Test
    void batchWithOneTimeToLive_isOneCommand_whereTheServerHasIt() throws Exception {
        done(connection, lasting("of a cache without expiry"));
        try (ExecutedCommands executed = ExecutedCommands.of(server)) {
            assertThat(done(connection, expiring("expiring", HOUR))).isEqualTo(each(Reply.done(true)));

            assertThat(executed.next().stream().map(Executed::name))
                    .filteredOn(name -> name.equals("SET") || name.equals("MSETEX") || name.startsWith("EVAL"))
                    .hasSize(hasMsetex() ? 1 : ENTRIES)
                    .containsOnly(hasMsetex() ? "MSETEX" : "SET");
        }
        assertExpiring("expiring", HOUR);
    }

    @Test
    void serverThatSaysAVersionWithIt_andHasNot_getsAPipeline() throws Exception {
        try (HoldingProxy proxy = new HoldingProxy(server.port())) {
            proxy.changeAnswers(answers -> answers.replaceAll("redis_version:\\d\\.\\d", "redis_version:8.4"));
            RedisConnection through =
                    RedisFixture.connect(fixture.connector(proxy.uri(), RedisFixture.identity(), RedisFixture.PATIENT));

            assertThat(done(through, expiring("first", HOUR))).isEqualTo(each(Reply.done(true)));
            assertThat(done(through, expiring("second", HOUR))).isEqualTo(each(Reply.done(true)));
        }
        assertExpiring("second", HOUR);
    }

    private void plantOutdated(int number) {
        EncodedKey key = new EncodedKey(key(number));
        byte[] outdated = Envelope.of(5, bytes("outdated")).toBytes(key, connection.epoch() + 1);
        plain.set(key.bytes(), outdated, SetArgs.Builder.px(HOUR));
    }

    @Test
    void timeToLiveGivenByHand_isKept_andThatOfAnOutdatedEntry_isNot() throws Exception {
        done(connection, keeping("before"));
        plain.pexpire(key(3), HOUR);
        plain.pexpire(key(ENTRIES - 1), HOUR);
        plantOutdated(7);

        done(connection, keeping("after"));

        for (int number = 0; number < ENTRIES; number++) {
            boolean isKept = number == 3 || number == ENTRIES - 1;
            assertThat(plain.pttl(key(number))).as("entry %d", number).matches(left -> isKept == (left > 0));
            assertThat(new String(plain.get(key(number)), StandardCharsets.ISO_8859_1))
                    .endsWith("after");
        }
    }

    @Test
    void refusalOfOne_isItsOwn() throws Exception {
        done(connection, keeping("before"));
        plain.del(key(4), key(ENTRIES - 1));
        plain.rpush(key(4), bytes("of somebody else"));
        plain.rpush(key(ENTRIES - 1), bytes("of somebody else"));

        List<Reply<Boolean>> replies = done(connection, keeping("after"));

        for (int number = 0; number < ENTRIES; number++) {
            boolean isRefused = number == 4 || number == ENTRIES - 1;
            assertThat(replies.get(number))
                    .as("entry %d", number)
                    .isInstanceOf(isRefused ? Reply.Refused.class : Reply.Done.class);
        }
        assertThat(plain.llen(key(4))).isOne();
        assertThat(done(connection, keeping("again")).get(4))
                .as("now that it is known what is there")
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.FORBIDDEN));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fullServer_refusesEach(boolean isByScript) throws Exception {
        done(connection, batch("before"));
        plain.configSet("maxmemory", "1");

        List<Reply<Boolean>> replies = done(connection, isByScript ? keeping("after") : batch("after"));

        plain.configSet("maxmemory", "0");
        assertThat(replies).hasSize(ENTRIES).allMatch(reply -> reply instanceof Reply.Refused);
        for (int number = 0; number < ENTRIES; number++) {
            assertThat(new String(plain.get(key(number)), StandardCharsets.ISO_8859_1))
                    .endsWith("before");
        }
        assertThat(done(connection, batch("later"))).isEqualTo(each(Reply.done(true)));
    }

    @Test
    void moreThanMayBeInFlight_isRefusedAsAWhole_andGivenBack() throws Exception {
        server.suspend();
        List<CompletableFuture<Reply<List<Reply<Boolean>>>>> sent = new ArrayList<>();
        for (int inFlight = 0; inFlight < CommandWriter.MAX_IN_FLIGHT; inFlight += MOST) {
            sent.add(connection.send(batch("value", MOST), Route.plain(RedisFixture.MAP_VERSION), Patience.UNLIMITED));
        }

        server.resume();

        CompletableFuture<Reply<List<Reply<Boolean>>>> tooMany = sent.remove(sent.size() - 1);
        assertThat(tooMany)
                .succeedsWithin(LIMIT)
                .satisfies(reply -> assertThat(value(reply))
                        .hasSize(MOST)
                        .allSatisfy(each -> assertThat(each)
                                .isInstanceOfSatisfying(
                                        Reply.Refused.class,
                                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.OVERLOADED))));
        for (CompletableFuture<Reply<List<Reply<Boolean>>>> reply : sent) {
            assertThat(reply)
                    .succeedsWithin(LIMIT)
                    .satisfies(done -> assertThat(value(done)).containsOnly(Reply.done(true)));
        }
        for (int again = 0; again < 3 * CommandWriter.MAX_IN_FLIGHT; again += MOST) {
            assertThat(done(connection, batch("again", MOST))).containsOnly(Reply.done(true));
        }
    }

    @Test
    void batchWhoseAnswersDoNotCome_isUnknownForEach() throws Exception {
        done(connection, batch("before"));
        server.suspend();
        CompletableFuture<Reply<List<Reply<Boolean>>>> reply =
                connection.send(batch("after"), Route.plain(RedisFixture.MAP_VERSION), Patience.UNLIMITED);
        // Passes the same event loop behind the batch: when it is refused, the batch was written.
        connection
                .send(RedisFixture.get("a"), Route.plain(RedisFixture.MAP_VERSION - 1), Patience.UNLIMITED)
                .get(10, TimeUnit.SECONDS);

        server.kill();

        assertThat(reply)
                .succeedsWithin(LIMIT)
                .satisfies(over ->
                        assertThat(value(over)).hasSize(ENTRIES).allMatch(each -> each instanceof Reply.Unknown));
    }
}
