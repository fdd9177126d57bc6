// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.lettuce.core.RedisAsyncCommandsImpl;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Nodes that answer what the test says, at once, in the bytes of servers; those of which it says nothing are not there.
 * What is asked is written down. For one thread.
 */
public final class ScriptedNodes {
    private static final String INFO =
            "redis_version:7.0.15\r\nredis_mode:cluster\r\nrun_id:" + "7".repeat(40) + "\r\n";
    private static final String INFO_ALONE = INFO.replace("mode:cluster", "mode:standalone");

    private final Map<String, Map<String, String>> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();

    /** Lets a node answer, and nothing but this. */
    public void answer(String address, List<?> slots) {
        answers.put(
                address, Map.of("INFO server", info(INFO), "CLUSTER SLOTS", RespText.of(ProtocolVersion.RESP3, slots)));
    }

    /** Lets a server answer that runs alone. */
    public void alone(String address) {
        answers.put(address, Map.of("INFO server", info(INFO_ALONE)));
    }

    /** Lets a node be gone. */
    public void gone(String address) {
        answers.remove(address);
    }

    private static String info(String text) {
        return RespText.of(ProtocolVersion.RESP3, text);
    }

    /** Returns the addresses of the nodes that were asked for slots since the last time, each time. */
    public List<String> asked() {
        List<String> since = List.copyOf(asked);
        asked.clear();
        return since;
    }

    /** Returns a cluster of these nodes, of which some are known from the beginning. */
    public ClusterHome home(List<ClusterHome.Address> seeds) {
        PartitionId name = new PartitionId("cluster");
        PartitionIdentity whole =
                new PartitionIdentity(name, SlotMap.ofEqualShares(1, List.of(name)), "", false, Adoption.NEVER);
        return new ClusterHome(seeds, this::door, whole, new Remembered(() -> "0".repeat(16)));
    }

    private ClusterHome.Door door(ClusterHome.Address where) {
        String address = where.host() + ":" + where.port();
        return new ClusterHome.Door() {
            @Override
            public String address() {
                return address;
            }

            @Override
            public <T> CompletableFuture<T> ask(
                    Function<RedisAsyncCommands<byte[], byte[]>, CompletableFuture<T>> question) {
                Map<String, String> known = answers.get(address);
                return known == null
                        ? CompletableFuture.failedFuture(
                                ConnectFailure.at(address, ConnectFailure.Kind.UNREACHABLE, "connection refused", null))
                        : question.apply(new Answers(address, known));
            }

            @Override
            public void close() {}
        };
    }

    /** Commands are written as for a server, and answers read as from one. */
    @SuppressWarnings("NullAway") // there is no connection
    private final class Answers extends RedisAsyncCommandsImpl<byte[], byte[]> {
        private final String address;
        private final Map<String, String> known;

        Answers(String address, Map<String, String> known) {
            super(null, ByteArrayCodec.INSTANCE);
            this.address = address;
            this.known = known;
        }

        @Override
        public <T> AsyncCommand<byte[], byte[], T> dispatch(RedisCommand<byte[], byte[], T> command) {
            AsyncCommand<byte[], byte[], T> sent = new AsyncCommand<>(command);
            String words = words(sent);
            if (words.equals("CLUSTER SLOTS")) {
                asked.add(address);
            }
            RespText.decode(
                    ProtocolVersion.RESP3,
                    known.getOrDefault(words, "-NOPERM no permissions to run " + words + "\r\n"),
                    sent.getOutput());
            sent.complete();
            return sent;
        }
    }

    private static String words(RedisCommand<?, ?, ?> command) {
        ByteBuf sent = Unpooled.buffer();
        command.encode(sent);
        String[] lines = sent.toString(StandardCharsets.UTF_8).split("\r\n", -1);
        List<String> words = new ArrayList<>();
        for (int line = 2; line < lines.length; line += 2) {
            words.add(lines[line]);
        }
        return String.join(" ", words);
    }
}
