// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of a handshake. They fail with a {@link ConnectFailure}, within a completion exception.
 *
 * @param predecessors of the connector; also knows which warnings it has logged
 */
record HandshakeCommands(RedisAsyncCommands<byte[], byte[]> redis, String address, Predecessors predecessors) {
    static final byte[] META = InstanceRecord.KEY.bytes();

    private static final Logger LOG = LoggerFactory.getLogger(HandshakeCommands.class);
    private static final Pattern ID = Pattern.compile("(?:^| )id=(\\d{1,18})(?: |$)");
    private static final Pattern NAME = Pattern.compile("(?:^| )name=(keyslot:\\S*:\\d+)(?: |$)");
    private static final Pattern DATABASE = Pattern.compile("(?:^| )db=(\\d+)(?: |$)");

    /** Creates the commands for a connection that is used for nothing else. */
    HandshakeCommands(RedisAsyncCommands<byte[], byte[]> redis, String address) {
        this(redis, address, new Predecessors());
    }

    <T> CompletableFuture<T> ask(String attempt, CompletionStage<T> answer) {
        return answer.<T>handle((value, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(ConnectDiagnosis.of(address, attempt, failure));
                    }
                    return value;
                })
                .toCompletableFuture();
    }

    /** Uses the alternative if the command does not exist, or the user may not use it. */
    <T> CompletableFuture<T> askOr(String attempt, CompletionStage<T> answer, Supplier<CompletableFuture<T>> other) {
        return answer.handle((value, failure) ->
                        failure != null && ConnectDiagnosis.isForbidden(failure) ? other.get() : ask(attempt, answer))
                .thenCompose(stage -> stage)
                .toCompletableFuture();
    }

    /** Identifies the server, and rejects one to which there is an objection by its {@code INFO server}. */
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

    /** Identifies a server as {@link #server}, and rejects one of an older version. */
    CompletableFuture<ServerInfo> supportedServer(Function<String, Optional<String>> objection) {
        return server(objection).thenApply(server -> {
            if (!server.reportsRunId() && !server.isNameless()) {
                warnOnce("{}: the server does not report its run_id; its replication id is taken for it. When a first"
                        + " replica is attached while a connection is lost, a write that timed out may be executed after"
                        + " later ones");
            }
            if (!server.isSupported()) {
                throw failure(
                        Kind.REJECTED,
                        "the server has version %d.%d, needed is %s or newer"
                                .formatted(server.major(), server.minor(), ServerInfo.OLDEST_VERSION));
            }
            return server;
        });
    }

    /** {@code HELLO} needs no right, and every supported server has it. */
    CompletableFuture<Long> clientIdByHello() {
        return ask("ask HELLO", redis.dispatch(CommandType.HELLO, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE)))
                .thenApply(fields -> {
                    for (int i = 0; i + 1 < fields.size(); i += 2) {
                        boolean isId = fields.get(i) instanceof byte[] name
                                && Resp.text(name).equals("id");
                        if (isId && fields.get(i + 1) instanceof Long id) {
                            return id;
                        }
                    }
                    throw failure(
                            Kind.REJECTED,
                            "the server tells this connection's number neither by CLIENT ID nor by HELLO");
                });
    }

    /** Takes the name by which the connection is dropped; {@code HELLO} needs no right for that. */
    CompletableFuture<Void> takeName(String name) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add(3).add("SETNAME").add(name);
        return ask(
                        "take a name by HELLO",
                        redis.dispatch(CommandType.HELLO, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), arguments))
                .thenAccept(answer -> {});
    }

    CompletableFuture<InstanceRecord> readRecord() {
        return ask("read keyslot:meta", redis.hgetall(META)).thenApply(fields -> {
            Map<String, String> texts = new HashMap<>();
            fields.forEach((field, value) -> texts.put(Resp.text(field), Resp.text(value)));
            return new InstanceRecord(texts);
        });
    }

    CompletableFuture<Long> minVersion(PartitionIdentity identity) {
        byte[] field = Resp.word(InstanceRecord.minVersionField(identity.namespace()));
        return ask("read keyslot:meta", redis.hget(META, field))
                .thenApply(value -> InstanceRecord.minVersion(Resp.text(value)));
    }

    /** Reads the field {@link Incarnation#FIELD}. */
    CompletableFuture<String> readIncarnation() {
        return ask("read keyslot:meta", redis.hget(META, Resp.word(Incarnation.FIELD)))
                .thenApply(Resp::text);
    }

    /** Replaces the expected incarnation; returns the recorded one, which differs if another client was faster. */
    CompletableFuture<String> replaceIncarnation(String expected, Incarnation incarnation) {
        CompletionStage<byte[]> present = redis.eval(
                Script.SET_INCARNATION.text(),
                ScriptOutputType.VALUE,
                new byte[][] {META},
                Resp.word(expected),
                Resp.word(incarnation.text()));
        return present.handle(this::recorded).toCompletableFuture();
    }

    private String recorded(byte[] answer, @Nullable Throwable failure) {
        if (failure == null) {
            return Resp.text(answer);
        }
        if (ConnectDiagnosis.isWriteRefused(failure)) {
            throw failure(
                    Kind.UNREACHABLE,
                    "the server takes no writes for now, and without a write it is unknown which of its"
                            + " entries are out of date");
        }
        throw new CompletionException(ConnectDiagnosis.of(address, "write keyslot:meta", failure));
    }

    /** Has the server drop the earlier connections of this connector with outstanding replies. */
    CompletableFuture<Void> endPredecessors(ServerInfo server) {
        List<Long> clientIds = predecessors.of(server.runId());
        return CompletableFuture.allOf(
                        clientIds.stream().map(this::endPredecessor).toArray(CompletableFuture[]::new))
                .thenRun(() -> predecessors.forget(clientIds));
    }

    private CompletableFuture<Void> endPredecessor(long clientId) {
        return askOr("end an earlier connection", redis.clientKill(KillArgs.Builder.id(clientId)), () -> {
                    warnOnce("{}: this user may not use CLIENT KILL. A write that timed out may be executed after later"
                            + " ones; allow client|kill to rule that out");
                    return CompletableFuture.completedFuture(0L);
                })
                .thenAccept(killed -> {});
    }

    /** Lists clients of all types: to a server, a subscriber is not a normal client. Empty if that is forbidden. */
    CompletableFuture<String> listClients() {
        return orNothingIfForbidden("list clients", redis.clientList(), "");
    }

    /** Drops the connections of all other clients in this list that were in use. */
    CompletableFuture<Void> dropOthers(long ownId, String clientList) {
        return CompletableFuture.allOf(
                othersBeside(ownId, clientList).stream().map(this::drop).toArray(CompletableFuture[]::new));
    }

    /** A connection that is closed already counts as killed. */
    private CompletableFuture<Long> drop(long clientId) {
        return orNothingIfForbidden(
                "drop a connection of an earlier epoch", redis.clientKill(KillArgs.Builder.id(clientId)), 0L);
    }

    private <T> CompletableFuture<T> orNothingIfForbidden(String attempt, CompletionStage<T> answer, T nothing) {
        return askOr(attempt, answer, () -> {
            warnThatDropIsForbidden();
            return CompletableFuture.completedFuture(nothing);
        });
    }

    void warnThatDropIsForbidden() {
        warnOnce("{}: this user may not use CLIENT LIST or CLIENT KILL. When what was stored has to be forgotten, other"
                + " processes may go on with it for a second; allow client|list and client|kill to rule that out");
    }

    private void warnOnce(String warning) {
        if (predecessors.isFirst(warning)) {
            LOG.warn(warning, address);
        }
    }

    /** Fails unless the server is a cluster node. */
    CompletableFuture<Void> checkNode() {
        return server(ServerInfo::objectionAsNode).thenAccept(info -> {});
    }

    /** Drops the connections of all other clients. */
    CompletableFuture<Void> dropOthers() {
        return askOr("ask CLIENT ID", redis.clientId(), this::clientIdByHello)
                .thenCompose(own -> listClients().thenCompose(list -> dropOthers(own, list)));
    }

    /** Returns the ids of other Keyslot clients that use the same database, except those in their handshake. */
    static List<Long> othersBeside(long ownId, String list) {
        List<String> lines = list.lines().toList();
        Optional<String> ownDatabase = lines.stream()
                .filter(line -> idOf(line).filter(id -> id == ownId).isPresent())
                .findFirst()
                .flatMap(line -> find(DATABASE, line));
        return lines.stream()
                .filter(line -> find(NAME, line).isPresent())
                .filter(line -> ownDatabase.isEmpty() || find(DATABASE, line).equals(ownDatabase))
                .flatMap(line -> idOf(line).stream())
                .filter(id -> id != ownId)
                .toList();
    }

    private static Optional<Long> idOf(String line) {
        return find(ID, line).map(Long::parseLong);
    }

    private static Optional<String> find(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    CompletionException failure(Kind kind, String reason) {
        return new CompletionException(ConnectFailure.at(address, kind, reason, null));
    }

    CompletionException outdated(PartitionIdentity identity, long needed) {
        String reason = "the slot map has version %d there, this client has version %d"
                .formatted(needed, identity.slotMap().version());
        return new CompletionException(ConnectFailure.outdated(address, reason, needed));
    }
}
