// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** The commands of a handshake. They fail with a {@link ConnectFailure}, within a completion exception. */
record HandshakeCommands(RedisAsyncCommands<byte[], byte[]> redis, String address) {
    static final byte[] META = InstanceRecord.KEY.bytes();

    <T> CompletableFuture<T> ask(String attempt, CompletionStage<T> answer) {
        return ConnectDiagnosis.within(address, attempt, answer);
    }

    /** Uses the alternative if the command does not exist, or the user may not use it. */
    <T> CompletableFuture<T> askOr(String attempt, CompletionStage<T> answer, Supplier<CompletableFuture<T>> other) {
        return answer.handle((value, failure) ->
                        failure != null && Predecessors.isForbidden(failure) ? other.get() : ask(attempt, answer))
                .thenCompose(told -> told)
                .toCompletableFuture();
    }

    /** Identifies the server, and rejects a cluster node. */
    CompletableFuture<ServerInfo> server() {
        return server(ServerInfo::objection);
    }

    CompletableFuture<ServerInfo> server(Function<String, Optional<String>> objection) {
        CompletableFuture<String> server = askOr("ask INFO server", redis.info("server"), HandshakeCommands::nothing)
                .thenApply(text -> {
                    objection.apply(text).ifPresent(why -> {
                        throw failure(Kind.REJECTED, why);
                    });
                    return text;
                });
        CompletableFuture<String> replication =
                askOr("ask INFO replication", redis.info("replication"), HandshakeCommands::nothing);
        return server.thenCombine(replication, ServerInfo::parseOrNameless);
    }

    private static CompletableFuture<String> nothing() {
        return CompletableFuture.completedFuture("");
    }

    CompletableFuture<InstanceRecord> readRecord() {
        return ask("read keyslot:meta", redis.hgetall(META)).thenApply(fields -> {
            Map<String, String> texts = new HashMap<>();
            fields.forEach((field, value) -> texts.put(RespAnswers.text(field), RespAnswers.text(value)));
            return new InstanceRecord(texts);
        });
    }

    CompletionException failure(Kind kind, String reason) {
        return new CompletionException(ConnectFailure.at(address, kind, reason, null));
    }

    CompletableFuture<Long> minVersion(PartitionIdentity identity) {
        byte[] field = bytes(InstanceRecord.minVersionField(identity.namespace()));
        return ask("read keyslot:meta", redis.hget(META, field))
                .thenApply(value -> InstanceRecord.minVersion(RespAnswers.text(value)));
    }

    CompletionException outdated(PartitionIdentity identity, long needed) {
        String reason = "the slot map has version %d there, this client has version %d"
                .formatted(needed, identity.slotMap().version());
        return new CompletionException(ConnectFailure.outdated(address, reason, needed));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
