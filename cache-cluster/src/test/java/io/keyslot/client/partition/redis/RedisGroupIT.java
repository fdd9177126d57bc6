// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static io.keyslot.client.partition.redis.RedisFixture.bytes;
import static io.keyslot.client.partition.redis.RedisFixture.done;
import static io.keyslot.client.partition.redis.RedisFixture.reply;
import static io.keyslot.client.partition.redis.RedisFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What only a server does with a group command: refuse it, forget the script, come back with an old file. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class RedisGroupIT {
    private static final AtomicLong STAMPS = new AtomicLong(1L << 60);
    private static final GroupHome HOME = new GroupHome("customer:99");
    private static final EncodedKey CART = EncodedKey.of("cart:{customer:99}");
    private static final EncodedKey ORDERS = EncodedKey.of("orders:{customer:99}");

    private final LocalServers servers = TestServers.none();
    private final LocalServer server = servers.start();
    private final RedisFixture fixture = new RedisFixture();
    private RedisCommands<byte[], byte[]> plain;

    @BeforeEach
    void connectPlainly() {
        plain = fixture.plain(server.uri());
    }

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    private static GroupCommand group(GroupStep... steps) {
        return new GroupCommand(HOME, 0, List.of(), List.of(steps), STAMPS.incrementAndGet());
    }

    private static EncodedKey order(int id) {
        return EncodedKey.of("order:{customer:99}:" + id);
    }

    private static GroupStep.PutEntry putEntry(EncodedKey key, byte[] value) {
        return new GroupStep.PutEntry(
                key, Envelope.of(STAMPS.incrementAndGet(), value), Expiry.NEVER, Expiry.UNCHANGED);
    }

    private static GroupStep.Apply apply(EncodedKey key, AggregateOperation operation, String... arguments) {
        return apply(key, Expiry.UNCHANGED, operation, arguments);
    }

    private static GroupStep.Apply apply(
            EncodedKey key, Expiry expiry, AggregateOperation operation, String... arguments) {
        return new GroupStep.Apply(
                key, operation, Stream.of(arguments).map(Element::of).toList(), expiry);
    }

    private static GroupReply.Applied applied(GroupReply reply) {
        assertThat(reply).isInstanceOf(GroupReply.Applied.class);
        return (GroupReply.Applied) reply;
    }

    private static Reply<GroupReply> forbidden(String command) {
        return Reply.refused(Refusal.FORBIDDEN, "NOPERM: the user may not use " + command);
    }

    private static Reply<GroupReply> notWritable(String code) {
        return Reply.refused(Refusal.NOT_WRITABLE, ServerError.parse(code).detail());
    }

    @Nested
    class Stored {
        @Test
        void aggregates_areWhatAPersonExpects() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());

            done(
                    connection,
                    group(
                            apply(EncodedKey.of("customer:99"), AggregateOperation.HASH_PUT, "name", "Ada"),
                            apply(ORDERS, AggregateOperation.LIST_ADD_LAST, "1001", "1002"),
                            apply(EncodedKey.of("visits:{customer:99}"), AggregateOperation.COUNTER_SET, "7")));

            assertThat(plain.hget(bytes("customer:99"), bytes("name"))).isEqualTo(bytes("Ada"));
            assertThat(plain.lrange(ORDERS.bytes(), 0, -1)).containsExactly(bytes("1001"), bytes("1002"));
            assertThat(plain.get(bytes("visits:{customer:99}"))).isEqualTo(bytes("7"));
            assertThat(plain.hkeys(HOME.stamps().bytes()))
                    .extracting(name -> new String(name, StandardCharsets.UTF_8))
                    .containsExactlyInAnyOrder("", "orders:", "visits:", "longest");
        }

        @Test
        void aggregatesOfAnOldFile_areNoneAfterARestart() throws Exception {
            RedisConnector connector = fixture.connector(server.uri());
            done(RedisFixture.connect(connector), group(apply(CART, AggregateOperation.HASH_PUT, "a", "old")));
            plain.save();
            server.restart();
            RedisConnection after = RedisFixture.connect(connector);

            assertThat(applied(done(after, group(new GroupStep.ReadAggregate(CART, AggregateKind.HASH))))
                            .answers())
                    .containsExactly(new GroupStep.Contents(Command.ABSENT, List.of()));
            assertThat(done(after, group(apply(CART, AggregateOperation.LIST_ADD_LAST, "new"))))
                    .isInstanceOf(GroupReply.Applied.class);
            assertThat(fixture.plain(server.uri()).lrange(CART.bytes(), 0, -1)).containsExactly(bytes("new"));
        }

        @Test
        void entryOfFourMebibytes_isStoredAndRead() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            byte[] value = new byte[4 * 1024 * 1024];
            new Random(4).nextBytes(value);
            GroupStep.PutEntry put = putEntry(order(1), value);

            GroupReply.Applied applied = applied(done(
                    connection, group(put, new GroupStep.ReadEntry(order(1)), putEntry(order(2), bytes("small")))));

            assertThat(plain.type(order(1).bytes())).isEqualTo("string");
            assertThat(((Lookup) applied.answers().get(1)).envelope())
                    .satisfies(read -> assertThat(read.payload()).isEqualTo(ByteBuffer.wrap(value)));
            assertThat(done(connection, new Command.Get(order(1))).stamp())
                    .isEqualTo(put.envelope().stamp());
            assertThat(text(done(connection, new Command.Get(order(2))))).isEqualTo("small");
        }
    }

    @Test
    void tokenOfALock_risesThoughTheClockHasGoneBack() throws Exception {
        RedisConnection connection = fixture.connect(server.uri());
        long later = Long.MAX_VALUE / 2_000;
        byte[] last =
                ByteBuffer.allocate(16).putLong(later).put(bytes("12345678")).array();
        plain.hset(HOME.stamps().bytes(), Map.of(bytes("lock"), last));

        assertThat(done(connection, new LockCommand.Lock(HOME, 5, Expiry.afterMillis(60_000))))
                .isGreaterThan(later);
    }

    @Nested
    class Refusals {
        @Test
        void fullServer_doesNothing_evenIfTheFirstStepFreesMemory() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(
                    connection,
                    group(putEntry(order(1), bytes("old")), apply(CART, AggregateOperation.HASH_PUT, "a", "1")));
            plain.configSet("maxmemory", "1");

            assertThat(reply(connection, group(new GroupStep.RemoveEntry(order(1)), putEntry(order(2), bytes("new")))))
                    .isEqualTo(notWritable("OOM"));
            assertThat(reply(
                            connection,
                            group(
                                    apply(CART, AggregateOperation.HASH_REMOVE, "a"),
                                    apply(ORDERS, AggregateOperation.LIST_ADD_LAST, "1"))))
                    .isEqualTo(notWritable("OOM"));
            assertThat(reply(connection, group(putEntry(order(1), bytes("new")), putEntry(order(2), bytes("new")))))
                    .isEqualTo(notWritable("OOM"));

            assertThat(text(done(connection, new Command.Get(order(1))))).isEqualTo("old");
            assertThat(plain.hget(CART.bytes(), bytes("a"))).isEqualTo(bytes("1"));
            assertThat(plain.exists(order(2).bytes(), ORDERS.bytes())).isZero();
        }

        @Test
        void somethingElseInThePlaceOfTheIndex_isRefusedBeforeTheFirstChange() throws Exception {
            RedisConnection connection = fixture.connect(server.uri());
            done(connection, group(putEntry(order(1), bytes("old"))));
            plain.set(HOME.index().bytes(), bytes("something else"));
            GroupStep put = putEntry(order(2).indexed(), bytes("new"));

            assertThat(reply(connection, group(put))).isInstanceOf(Reply.Refused.class);
            assertThat(reply(connection, group(new GroupStep.RemoveEntry(order(1)), put)))
                    .isInstanceOf(Reply.Refused.class);

            assertThat(text(done(connection, new Command.Get(order(1))))).isEqualTo("old");
            assertThat(plain.exists(order(2).bytes())).isZero();
        }

        @Test
        void commandThatTheUserMayNotUse_isRefusedBeforeTheFirstChange() throws Exception {
            plain.aclSetuser(
                    "limited",
                    AclSetuserArgs.Builder.on()
                            .addPassword("secret")
                            .allKeys()
                            .allCommands()
                            .removeCommand(CommandType.RPUSH));
            RedisConnection connection = fixture.connect(server.uri().replace("://", "://limited:secret@"));

            assertThat(reply(
                            connection,
                            group(
                                    putEntry(order(1), bytes("new")),
                                    apply(CART, AggregateOperation.HASH_PUT, "a", "1"),
                                    apply(ORDERS, AggregateOperation.LIST_ADD_LAST, "1"))))
                    .isEqualTo(forbidden("RPUSH"));

            assertThat(plain.exists(order(1).bytes(), CART.bytes(), ORDERS.bytes()))
                    .isZero();
            assertThat(done(connection, group(apply(CART, AggregateOperation.HASH_PUT, "a", "1"))))
                    .isInstanceOf(GroupReply.Applied.class);
        }
    }
}
