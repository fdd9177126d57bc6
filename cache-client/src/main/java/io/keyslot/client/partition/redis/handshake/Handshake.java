// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.Script;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens on a new connection after Lettuce's {@code HELLO} and before the first data command.
 *
 * <ol>
 *   <li>Ask, in one round trip: our number ({@code CLIENT ID}), {@code keyslot:meta}, {@code INFO server} and {@code INFO
 *     replication}, {@code ROLE}.
 *   <li>Check that it is a primary of a supported version.
 *   <li>Compare {@code keyslot:meta} with what we believe. If there is none, look whose data it is: {@link Survey}.
 *   <li>Let the server drop those of our earlier connections on which it still owed answers. From then on, nothing that
 *       was sent on them can be executed after what is sent on this one.
 *   <li>Write {@code keyslot:meta} if we are the first and adopt, and compare what is there then.
 *   <li>Come into the partition's {@link Life}, or begin the next one: {@link Entrance}. Whoever does not adopt begins none.
 * </ol>
 *
 * <p>A look ends where the first thing would be written or changed: {@link #look}.
 */
public final class Handshake {
    private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);
    private static final byte[] META = InstanceRecord.KEY.bytes();

    /**
     * A successful handshake.
     *
     * @param clientId our number at the server
     * @param life in which the connection is; none if it only looks, and there is none
     * @param epoch that of the life, or one that no entry has
     * @param isGuarded whether the instance may have data of strangers
     */
    public record Result(long clientId, ServerInfo server, Optional<Life> life, int epoch, boolean isGuarded) {}

    /**
     * That the instance may be used.
     *
     * @param isGuarded whether it may have data of strangers
     */
    private record Consent(InstanceRecord instance, boolean isGuarded) {}

    /** What the server has said of itself. */
    private record Greeting(ServerInfo server, long clientId, InstanceRecord instance) {}

    private final RedisAsyncCommands<byte[], byte[]> commands;
    private final String address;
    private final PartitionIdentity identity;
    private final Predecessors predecessors;
    private final Remembered remembered;
    private final Entrance entrance;
    private final Survey survey;

    /**
     * @param remembered the life in which this process has used the partition
     * @param name that of the connection once it may be used
     */
    public Handshake(
            RedisAsyncCommands<byte[], byte[]> commands,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors,
            Remembered remembered,
            String name) {
        this.commands = commands;
        this.address = address;
        this.identity = identity;
        this.predecessors = predecessors;
        this.remembered = remembered;
        this.survey = new Survey(commands, address, identity);
        this.entrance = new Entrance(commands, address, identity, predecessors, remembered, name);
    }

    /** Shakes hands. The future fails with a {@link ConnectFailure}, possibly within a completion exception. */
    public CompletableFuture<Result> shake() {
        return greet().thenCompose(greeting -> endPredecessors(greeting.server())
                .thenCompose(done -> examine(greeting.instance(), greeting.server()))
                .thenCompose(this::agree)
                .thenCompose(consent -> enter(consent, greeting.server(), greeting.clientId())));
    }

    /** Finds out whether the server would accept us, and changes nothing there. Fails as {@link #shake} does. */
    public CompletableFuture<Void> look() {
        return greet().thenCompose(greeting -> examine(greeting.instance(), greeting.server()))
                .thenCompose(consent -> identity.adopts() ? askForRights() : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Greeting> greet() {
        CompletableFuture<Long> clientId = askOr("ask CLIENT ID", commands.clientId(), this::askForIdByHello);
        CompletableFuture<InstanceRecord> instance = readRecord();
        CompletableFuture<ServerInfo> server = server(commands, address).thenApply(this::supported);
        CompletableFuture<List<Object>> role =
                askOr("ask ROLE", commands.role(), () -> CompletableFuture.completedFuture(List.of()));
        // What the server is comes first: it explains why it does not know other commands.
        return server.thenCompose(info -> role.thenApply(said -> primary(said, info))
                .thenCombine(clientId, (ours, id) -> id)
                .thenCombine(instance, (id, record) -> new Greeting(info, id, record)));
    }

    /** A start that is refused for a right must have written nothing elsewhere. */
    private CompletableFuture<Void> askForRights() {
        CompletionStage<byte[]> missing =
                commands.eval(Script.MAY_RECORD.text(), ScriptOutputType.VALUE, new byte[][] {META});
        return ask("write keyslot:meta", missing).thenApply(right -> {
            if (right != null && right.length > 0) {
                throw failure(
                        Kind.REJECTED,
                        "cannot write keyslot:meta: the user is not allowed to use " + text(right)
                                + "; see the access rules (ACL) in the operations manual");
            }
            return null;
        });
    }

    private CompletableFuture<Result> enter(Consent consent, ServerInfo info, long clientId) {
        return entrance.enter(consent.instance().life(), info, clientId).thenApply(life -> {
            remembered.note(info.runId(), consent.isGuarded());
            int epoch = life.map(Life::epoch).orElseGet(remembered::epochOfNobody);
            return new Result(clientId, info, life, epoch, consent.isGuarded());
        });
    }

    /** Returns whether the instance may be used, by what it has recorded, or by what it holds. */
    private CompletableFuture<Consent> examine(InstanceRecord instance, ServerInfo server) {
        check(instance);
        if (!instance.isBlankFor(identity)) {
            return CompletableFuture.completedFuture(new Consent(instance, instance.isGuarded()));
        }
        if (instance.isAny()) {
            return joined(instance);
        }
        // In this order: keys that were there before there was no record were stored without one.
        CompletableFuture<Long> count = survey.count();
        CompletableFuture<InstanceRecord> again = readRecord();
        return count.thenCompose(keys ->
                again.thenCompose(present -> present.isAny() ? examine(present, server) : survey(keys, server)));
    }

    /** Where strangers may have something, nothing must stand under the names that are ours from now on. */
    private CompletableFuture<Consent> joined(InstanceRecord instance) {
        Consent consent = new Consent(instance, instance.isGuarded());
        return instance.isGuarded() && !identity.keyspace().isEmpty()
                ? unlessReservedNames(false, consent)
                : CompletableFuture.completedFuture(consent);
    }

    private CompletableFuture<Consent> survey(long keys, ServerInfo server) {
        InstanceRecord none = new InstanceRecord(Map.of());
        Optional<Boolean> known = remembered.isGuarded(server.runId());
        if (keys == 0 || known.isPresent()) {
            return CompletableFuture.completedFuture(new Consent(none, keys > 0 && known.orElse(false)));
        }
        return survey.look(keys).thenCompose(residents -> switch (residents.kind()) {
            case UNUSED -> CompletableFuture.completedFuture(new Consent(none, false));
            case OURS -> CompletableFuture.completedFuture(new Consent(none, true));
            case STRANGERS -> {
                if (identity.adoption() != Adoption.ALWAYS) {
                    throw failure(Kind.REJECTED, residents.objection(identity));
                }
                yield unlessReservedNames(true, new Consent(none, true));
            }
        });
    }

    private CompletableFuture<Consent> unlessReservedNames(boolean withoutNamespace, Consent consent) {
        return survey.reservedName(withoutNamespace).thenApply(found -> {
            if (found.isPresent()) {
                throw failure(
                        Kind.REJECTED,
                        ("the instance holds keys whose names begin with %s and no record of Keyslot that says whose they"
                                        + " are; these names are Keyslot's, so not even adoptInstances: always takes it."
                                        + " Give Keyslot a database or an instance of its own")
                                .formatted(found.get()));
            }
            return consent;
        });
    }

    /** Asks which server it is. */
    static CompletableFuture<ServerInfo> server(RedisAsyncCommands<byte[], byte[]> commands, String address) {
        CompletableFuture<String> server = ConnectDiagnosis.within(address, "ask INFO server", commands.info("server"))
                .thenApply(text -> {
                    ServerInfo.objection(text).ifPresent(why -> {
                        throw new CompletionException(ConnectFailure.at(address, Kind.REJECTED, why, null));
                    });
                    return text;
                });
        CompletableFuture<String> replication =
                ConnectDiagnosis.within(address, "ask INFO replication", commands.info("replication"));
        return server.thenCombine(replication, ServerInfo::parse)
                .thenApply(info -> info.orElseThrow(() -> new CompletionException(ConnectFailure.at(
                        address,
                        Kind.REJECTED,
                        "INFO tells neither run_id nor master_replid; is this Redis or Valkey?",
                        null))));
    }

    private <T> CompletableFuture<T> ask(String attempt, CompletionStage<T> answer) {
        return ConnectDiagnosis.within(address, attempt, answer);
    }

    /** Asks in another way if there is no such command, or the user may not use it. */
    private <T> CompletableFuture<T> askOr(
            String attempt, CompletionStage<T> answer, Supplier<CompletableFuture<T>> other) {
        return answer.handle((value, failure) ->
                        failure != null && Predecessors.isForbidden(failure) ? other.get() : ask(attempt, answer))
                .thenCompose(told -> told)
                .toCompletableFuture();
    }

    /** {@code HELLO} needs no right, and every server knows it that we can talk to. */
    private CompletableFuture<Long> askForIdByHello() {
        return ask("ask HELLO", commands.dispatch(CommandType.HELLO, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE)))
                .thenApply(fields -> {
                    for (int i = 0; i + 1 < fields.size(); i += 2) {
                        boolean isId = fields.get(i) instanceof byte[] name
                                && text(name).equals("id");
                        if (isId && fields.get(i + 1) instanceof Long id) {
                            return id;
                        }
                    }
                    throw failure(
                            Kind.REJECTED,
                            "the server tells this connection's number neither by CLIENT ID nor by HELLO");
                });
    }

    private CompletionException failure(Kind kind, String reason) {
        return new CompletionException(ConnectFailure.at(address, kind, reason, null));
    }

    private ServerInfo supported(ServerInfo server) {
        if (!server.tellsRunId()) {
            predecessors.warnThatRunIsUnknown(LOG, address);
        }
        if (!server.isSupported()) {
            throw failure(
                    Kind.REJECTED,
                    "the server has version %d.%d, needed is %s or newer"
                            .formatted(server.major(), server.minor(), ServerInfo.OLDEST_VERSION));
        }
        return server;
    }

    /**
     * A replica is not refused for good: after a failover the address may soon lead to the primary.
     *
     * @param role nothing if the server does not know the command, or the user may not use it: then {@code INFO} tells
     */
    private List<Object> primary(List<Object> role, ServerInfo server) {
        String told = server.isReplica() ? "slave" : "master";
        String name = role.isEmpty() ? told : role.get(0) instanceof byte[] first ? text(first) : "unknown";
        if (!name.equals("master")) {
            throw failure(
                    Kind.UNREACHABLE,
                    "the server is not a primary but has the role '%s'; name the primary".formatted(name));
        }
        return role;
    }

    private CompletableFuture<Void> endPredecessors(ServerInfo server) {
        List<Long> clientIds = predecessors.of(server.runId());
        return CompletableFuture.allOf(clientIds.stream().map(this::end).toArray(CompletableFuture[]::new))
                .thenRun(() -> predecessors.forget(clientIds));
    }

    private CompletableFuture<Void> end(long clientId) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        commands.clientKill(KillArgs.Builder.id(clientId)).whenComplete((count, failure) -> {
            if (failure == null || isForbidden(failure)) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(ConnectDiagnosis.of(address, "end an earlier connection", failure));
            }
        });
        return ended;
    }

    private boolean isForbidden(Throwable failure) {
        boolean forbidden = Predecessors.isForbidden(failure);
        if (forbidden && predecessors.isFirstRefusalToKill()) {
            LOG.warn(
                    "{}: this user may not use CLIENT KILL. A write that timed out may be executed after later ones;"
                            + " allow client|kill to rule that out",
                    address);
        }
        return forbidden;
    }

    private CompletableFuture<InstanceRecord> readRecord() {
        return ask("read keyslot:meta", commands.hgetall(META)).thenApply(fields -> {
            Map<String, String> texts = new HashMap<>();
            fields.forEach((field, value) -> texts.put(text(field), text(value)));
            return new InstanceRecord(texts);
        });
    }

    private CompletableFuture<Consent> agree(Consent consent) {
        return identity.adopts() && consent.instance().isBlankFor(identity)
                ? adopt(consent.isGuarded())
                        .thenApply(this::check)
                        .thenApply(recorded -> new Consent(recorded, consent.isGuarded() || recorded.isGuarded()))
                : CompletableFuture.completedFuture(consent);
    }

    /** Somebody else may be the first at the same moment, so what counts is what is there afterwards. */
    private CompletableFuture<InstanceRecord> adopt(boolean isGuarded) {
        if (isGuarded) {
            LOG.warn(
                    "{}: the instance holds what Keyslot may not have stored, and leaves it alone: from now on every write"
                            + " looks before it stores. Keyslot is faster with a database of its own",
                    address);
        }
        CompletableFuture<?>[] writes = InstanceRecord.adoption(identity, isGuarded).entrySet().stream()
                .map(field -> write(commands.hsetnx(META, bytes(field.getKey()), bytes(field.getValue()))))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(writes).thenCombine(readRecord(), (done, instance) -> instance);
    }

    /** A server that takes no writes for now, because it is full for example, is good for reads: then nothing is written. */
    private <T> CompletableFuture<Optional<T>> write(CompletionStage<T> answer) {
        return answer.handle((value, failure) -> {
                    if (failure == null) {
                        return Optional.of(value);
                    }
                    if (ConnectDiagnosis.isWriteRefused(failure)) {
                        LOG.debug("{}: keyslot:meta cannot be written for now", address, failure);
                        return Optional.<T>empty();
                    }
                    throw new CompletionException(ConnectDiagnosis.of(address, "write keyslot:meta", failure));
                })
                .toCompletableFuture();
    }

    private InstanceRecord check(InstanceRecord instance) {
        Optional<String> objection = instance.objectionTo(identity);
        if (objection.isPresent()) {
            throw failure(Kind.REJECTED, objection.get());
        }
        return instance;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
