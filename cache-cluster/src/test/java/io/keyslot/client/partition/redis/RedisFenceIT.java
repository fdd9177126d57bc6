// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.SetFence;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.partition.FenceContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SideBySide
class RedisFenceIT extends FenceContract {
    private static final byte[] META = RedisFixture.bytes("keyslot:meta");

    private static final EncodedKey KEY = EncodedKey.of("order:1");

    private static TestServers servers;
    private static RedisFixture fixture;
    private static PartitionConnection connection;
    private static RedisCommands<byte[], byte[]> plain;

    @BeforeAll
    static void connect() throws Exception {
        servers = TestServers.start(1);
        fixture = new RedisFixture();
        connection = fixture.connect(servers.uri(0));
        plain = fixture.plain(servers.uri(0));
    }

    @AfterAll
    static void close() throws Exception {
        fixture.close();
        servers.close();
    }

    @Override
    protected PartitionConnection connection() {
        return connection;
    }

    @Override
    protected void empty() {
        byte[][] keys = plain.keys("*").stream()
                .filter(key -> !Arrays.equals(key, META))
                .toArray(byte[][]::new);
        if (keys.length > 0) {
            plain.del(keys);
        }
        plain.hdel(META, RedisFixture.bytes("min:"));
    }

    @Override
    protected @Nullable Set<EncodedKey> written(int slot) {
        Set<byte[]> members = plain.smembers(dirty(slot));
        return members.isEmpty()
                ? null
                : members.stream()
                        .filter(member -> member.length > 0)
                        .map(EncodedKey::new)
                        .collect(Collectors.toSet());
    }

    private static byte[] dirty(int slot) {
        return RedisFixture.bytes("keyslot:dirty::" + slot);
    }

    private <R> Reply<R> fenced(Command<R> command) {
        return connection
                .send(command, Route.fenced(RedisFixture.MAP_VERSION), Patience.UNLIMITED)
                .join();
    }

    private static boolean set(From from, State to) throws Exception {
        return RedisFixture.done(
                connection, new SetFence(Map.of(KEY.slot(), 1L), from, new To(to, "m1", to == State.MOVED ? 9 : 0), 1));
    }

    /** A server may evict them. */
    @Test
    void lostNotes_refuseWrites_andNoReads() throws Exception {
        assertThat(set(From.NONE, State.MOVING)).isTrue();
        assertThat(plain.del(dirty(KEY.slot()))).isEqualTo(1);

        assertThat(fenced(RedisFixture.put(KEY.text(), "one")))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.MOVED));
        assertThat(fenced(new Command.Get(KEY))).isEqualTo(Reply.done(Lookup.absent()));
        assertThat(written(KEY.slot())).isNull();
    }

    @Test
    void fullServer_setsFences_andRemovesWithNotes_butStoresNothing() throws Exception {
        RedisFixture.done(connection, RedisFixture.put(KEY.text(), "one"));
        plain.configSet("maxmemory", "1");
        try {
            assertThat(set(From.NONE, State.MOVING)).isTrue();

            assertThat(fenced(RedisFixture.put(KEY.text(), "two")))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.NOT_WRITABLE));
            assertThat(written(KEY.slot())).isEmpty();
            assertThat(fenced(new Command.RemoveAll(List.of(KEY)))).isEqualTo(Reply.done(1L));
            assertThat(written(KEY.slot())).containsExactly(KEY);
            assertThat(set(From.any(State.MOVING), State.FROZEN)).isTrue();
            assertThat(set(From.any(State.FROZEN), State.MOVED)).isTrue();
        } finally {
            plain.configSet("maxmemory", "0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hmget", "sismember", "sadd", "srem", "get", "unlink"})
    void userWithoutARight_isRefused_andNothingIsChanged(String command) throws Exception {
        RedisFixture.done(connection, RedisFixture.put(KEY.text(), "one"));
        assertThat(set(From.NONE, State.MOVING)).isTrue();
        plain.aclSetuser(
                "default", AclSetuserArgs.Builder.removeCommand(CommandType.valueOf(command.toUpperCase(ROOT))));
        try {
            List<Reply<?>> replies = List.of(
                    fenced(RedisFixture.put(KEY.text(), "two")),
                    fenced(new Command.Get(KEY)),
                    fenced(new Command.RemoveAll(List.of(KEY))));

            assertThat(replies)
                    .filteredOn(reply -> !(reply instanceof Reply.Done))
                    .isNotEmpty()
                    .allSatisfy(reply ->
                            assertThat(((Reply.Refused<?>) reply).refusal()).isEqualTo(Refusal.FORBIDDEN));
            boolean isRemoved = replies.get(2) instanceof Reply.Done;
            assertThat(plain.exists(KEY.bytes())).isEqualTo(isRemoved ? 0 : 1);
        } finally {
            plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
        }
    }
}
