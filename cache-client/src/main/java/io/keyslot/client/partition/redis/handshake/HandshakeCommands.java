// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
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
                        failure != null && Predecessors.isForbidden(failure) ? other.get() : ask(attempt, answer))
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
                predecessors.warnThatRunIsUnknown(LOG, address);
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

    CompletableFuture<Long> clientId() {
        return askOr("ask CLIENT ID", redis.clientId(), this::clientIdByHello);
    }

    /** {@code HELLO} needs no right, and every supported server has it. */
    CompletableFuture<Long> clientIdByHello() {
        return ask("ask HELLO", redis.dispatch(CommandType.HELLO, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE)))
                .thenApply(fields -> {
                    for (int i = 0; i + 1 < fields.size(); i += 2) {
                        boolean isId = fields.get(i) instanceof byte[] name
                                && RespAnswers.text(name).equals("id");
                        if (isId && fields.get(i + 1) instanceof Long id) {
                            return id;
                        }
                    }
                    throw failure(
                            Kind.REJECTED,
                            "the server tells this connection's number neither by CLIENT ID nor by HELLO");
                });
    }

    /** Asks for the role; empty if the server lacks the command, or the user may not use it. */
    CompletableFuture<List<Object>> role() {
        return askOr("ask ROLE", redis.role(), () -> CompletableFuture.completedFuture(List.of()));
    }

    /** Rejects a replica, but only for now: after a failover the address may lead to the primary. */
    void checkPrimary(List<Object> role, ServerInfo server) {
        checkRole("master", "a primary", role, server, "name the primary");
    }

    /** Rejects a primary; the remedy ends the message. */
    void checkReplica(List<Object> role, ServerInfo server, String remedy) {
        checkRole("slave", "a replica", role, server, remedy);
    }

    /** If the role is empty, {@code INFO} decides. */
    private void checkRole(String expected, String inWords, List<Object> role, ServerInfo server, String remedy) {
        String assumed = server.isReplica() ? "slave" : "master";
        String name =
                role.isEmpty() ? assumed : role.get(0) instanceof byte[] first ? RespAnswers.text(first) : "unknown";
        if (!name.equals(expected)) {
            throw failure(
                    Kind.UNREACHABLE,
                    "the server is not %s but has the role '%s'; %s".formatted(inWords, name, remedy));
        }
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
            fields.forEach((field, value) -> texts.put(RespAnswers.text(field), RespAnswers.text(value)));
            return new InstanceRecord(texts);
        });
    }

    CompletableFuture<Long> minVersion(PartitionIdentity identity) {
        byte[] field = bytes(InstanceRecord.minVersionField(identity.namespace()));
        return ask("read keyslot:meta", redis.hget(META, field))
                .thenApply(value -> InstanceRecord.minVersion(RespAnswers.text(value)));
    }

    /** Reads the field {@link Incarnation#FIELD}. */
    CompletableFuture<String> readIncarnation() {
        return ask("read keyslot:meta", redis.hget(META, bytes(Incarnation.FIELD)))
                .thenApply(RespAnswers::text);
    }

    /** Replaces the expected incarnation; returns the recorded one, which differs if another client was faster. */
    CompletableFuture<String> replaceIncarnation(String expected, Incarnation incarnation) {
        CompletionStage<byte[]> present = redis.eval(
                Script.SET_INCARNATION.text(),
                ScriptOutputType.VALUE,
                new byte[][] {META},
                bytes(expected),
                bytes(incarnation.text()));
        return present.handle(this::recorded).toCompletableFuture();
    }

    private String recorded(byte[] answer, @Nullable Throwable failure) {
        if (failure == null) {
            return RespAnswers.text(answer);
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
                    predecessors.warnThatKillIsForbidden(LOG, address);
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
            predecessors.warnThatDropIsForbidden(LOG, address);
            return CompletableFuture.completedFuture(nothing);
        });
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

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
