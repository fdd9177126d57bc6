// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * When all members of a group have expired or were removed, nothing of the group is left: no stamps, no index. Histories
 * of groups are made up by chance, and end by removals, by expiry, or by both.
 *
 * <p>{@code -Dtests.leftovers.groups} says how many groups there are, {@code -Dtests.leftovers.seed} where they begin.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class LeftoversIT {
    private static final int GROUPS = Integer.getInteger("tests.leftovers.groups", 300);
    private static final long SEED = Long.getLong("tests.leftovers.seed", 56);
    private static final int COMMANDS = 12;
    private static final int FEW = 50;
    private static final long LIVES_MILLIS = 2_000;
    private static final Expiry SOON = Expiry.afterMillis(LIVES_MILLIS);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final LocalServers servers = TestServers.none();
    private final LocalServer server = servers.start();
    private final RedisFixture fixture = new RedisFixture();
    private RedisConnection connection;
    private ServerDialogue admin;

    @BeforeEach
    void connect() throws Exception {
        connection = fixture.connect(server.uri());
        admin = ServerDialogue.with(server);
    }

    @AfterEach
    void close() throws Exception {
        admin.close();
        fixture.close();
        servers.close();
    }

    private static GeneratedCommands commandsOf(int group) {
        return new GeneratedCommands(SEED + group, "customer:" + group, LIVES_MILLIS);
    }

    private void awaitNothing() {
        await().atMost(LONGEST).untilAsserted(() -> assertThat(keys()).isEqualTo(List.of("keyslot:meta")));
    }

    private List<?> keys() throws IOException {
        List<?> keys = (List<?>) Objects.requireNonNull(admin.ask("KEYS", "*"));
        return keys.size() > FEW ? keys.subList(0, FEW) : keys;
    }

    @Test
    void stampsLastAsLongAsTheAggregateThatLivesLongest() throws Exception {
        GeneratedCommands commands = commandsOf(1);
        String stamps = commands.home().stamps().text();
        GroupStep cart = commands.operation(AggregateOperation.HASH_PUT, Expiry.afterMillis(50_000));
        GroupStep recent = commands.operation(AggregateOperation.LIST_ADD_LAST, Expiry.NEVER);
        GroupStep tags = commands.operation(AggregateOperation.SET_ADD, Expiry.afterMillis(90_000));
        done(connection, commands.group(List.of(), List.of(cart, recent, tags)));
        assertThat(admin.ask("PTTL", stamps)).isEqualTo(-1L);

        EncodedKey list = commands.aggregate(AggregateKind.LIST);
        done(
                connection,
                commands.group(List.of(), List.of(new GroupStep.ExpireAggregate(list, AggregateKind.LIST, SOON))));
        assertThat((Long) admin.ask("PTTL", stamps)).isBetween(80_000L, 90_001L);

        EncodedKey set = commands.aggregate(AggregateKind.SET);
        done(connection, commands.group(List.of(), List.of(new GroupStep.DeleteAggregate(set, AggregateKind.SET))));
        assertThat((Long) admin.ask("PTTL", stamps)).isBetween(40_000L, 50_001L);
    }

    @Test
    void tokenOfTheLastLock_isKeptForADay() throws Exception {
        GeneratedCommands commands = commandsOf(1);
        String stamps = commands.home().stamps().text();
        done(
                connection,
                commands.group(List.of(), List.of(commands.operation(AggregateOperation.HASH_PUT, Expiry.NEVER))));
        done(connection, new LockCommand.Lock(commands.home(), 1, SOON));

        EncodedKey cart = commands.aggregate(AggregateKind.HASH);
        done(connection, commands.group(List.of(), List.of(new GroupStep.DeleteAggregate(cart, AggregateKind.HASH))));

        assertThat((Long) admin.ask("PTTL", stamps))
                .isBetween(Duration.ofHours(23).toMillis(), Duration.ofDays(1).toMillis());
        assertThat(admin.ask("HKEYS", stamps)).isEqualTo(List.of("lock"));
    }

    @Test
    void indexLastsAsLongAsItsRows() throws Exception {
        GeneratedCommands commands = commandsOf(1);
        String index = commands.home().index().text();
        EncodedKey first = commands.rows().get(0);
        EncodedKey second = commands.rows().get(1);
        done(connection, new Command.Put(first, Envelope.of(1, new byte[1]), Expiry.NEVER, Expiry.NEVER));
        done(
                connection,
                new Command.Put(second, Envelope.of(2, new byte[1]), Expiry.afterMillis(60_000), Expiry.UNCHANGED));
        assertThat(admin.ask("PTTL", index)).isEqualTo(-1L);

        done(connection, new Command.CompareAndExpire(first, 1, Expiry.afterMillis(90_000)));
        assertThat((Long) admin.ask("PTTL", index)).isBetween(80_000L, 90_001L);

        done(connection, new Command.RemoveAll(List.of(first, second)));
        assertThat(admin.ask("EXISTS", index)).isEqualTo(0L);
    }

    @Test
    void historiesThatHaveEnded_leaveNothing() throws Exception {
        for (int i = 0; i < GROUPS; i++) {
            GeneratedCommands commands = commandsOf(i);
            Random random = new Random(SEED + i);
            for (int next = 0; next < COMMANDS; next++) {
                Reply<?> unused = RedisFixture.reply(connection, commands.next());
            }
            end(commands, random);
        }

        awaitNothing();
    }

    private void end(GeneratedCommands commands, Random random) throws Exception {
        for (EncodedKey entry : commands.entries()) {
            if (random.nextBoolean()) {
                Reply<?> unused = RedisFixture.reply(connection, commands.removalOf(entry));
            } else {
                letExpire(entry);
            }
        }
        for (Map.Entry<AggregateKind, EncodedKey> one : commands.aggregates().entrySet()) {
            GroupStep last = random.nextBoolean()
                    ? new GroupStep.DeleteAggregate(one.getValue(), one.getKey())
                    : new GroupStep.ExpireAggregate(one.getValue(), one.getKey(), SOON);
            done(connection, commands.group(List.of(), List.of(last)));
        }
    }

    /** Only an entry has an end of its own; what else there is, is removed. */
    private void letExpire(EncodedKey entry) throws Exception {
        Lookup found = done(connection, new Command.GetAndExpire(entry, SOON));
        if (!found.isFound()) {
            done(connection, new Command.RemoveAll(List.of(entry)));
        }
    }
}
