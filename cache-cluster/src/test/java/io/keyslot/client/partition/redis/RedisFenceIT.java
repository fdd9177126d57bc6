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
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SideBySide
class RedisFenceIT extends FenceContract {
    private static final byte[] META = RedisFixture.bytes("keyslot:meta");

    private static final EncodedKey KEY = EncodedKey.of("order:1");

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @Override
    protected PartitionConnection connection() {
        return SERVER.connection;
    }

    @Override
    protected void empty() {
        SERVER.empty();
        SERVER.plain.hdel(META, RedisFixture.bytes("min:"));
    }

    @Override
    protected @Nullable Set<EncodedKey> written(int slot) {
        Set<byte[]> members = SERVER.plain.smembers(dirty(slot));
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
        return SERVER.connection
                .send(command, Route.fenced(RedisFixture.MAP_VERSION), Patience.UNLIMITED)
                .join();
    }

    private static boolean set(From from, State to) throws Exception {
        return RedisFixture.done(
                SERVER.connection,
                new SetFence(Map.of(KEY.slot(), 1L), from, new To(to, "m1", to == State.MOVED ? 9 : 0), 1));
    }

    /** A server may evict them. */
    @Test
    void lostNotes_refuseWrites_andNoReads() throws Exception {
        assertThat(set(From.NONE, State.MOVING)).isTrue();
        assertThat(SERVER.plain.del(dirty(KEY.slot()))).isEqualTo(1);

        assertThat(fenced(RedisFixture.put(KEY.text(), "one")))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.MOVED));
        assertThat(fenced(new Command.Get(KEY))).isEqualTo(Reply.done(Lookup.absent()));
        assertThat(written(KEY.slot())).isNull();
    }

    @Test
    void fullServer_setsFences_andRemovesWithNotes_butStoresNothing() throws Exception {
        RedisFixture.done(SERVER.connection, RedisFixture.put(KEY.text(), "one"));
        SERVER.plain.configSet("maxmemory", "1");
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
            SERVER.plain.configSet("maxmemory", "0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hmget", "sismember", "sadd", "srem", "get", "unlink"})
    void userWithoutARight_isRefused_andNothingIsChanged(String command) throws Exception {
        RedisFixture.done(SERVER.connection, RedisFixture.put(KEY.text(), "one"));
        assertThat(set(From.NONE, State.MOVING)).isTrue();
        SERVER.plain.aclSetuser(
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
            assertThat(SERVER.plain.exists(KEY.bytes())).isEqualTo(isRemoved ? 0 : 1);
        } finally {
            SERVER.plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
        }
    }
}
