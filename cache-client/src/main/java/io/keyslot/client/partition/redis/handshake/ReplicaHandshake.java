// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.FenceKeys;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The steps on a new connection to a replica before it is read. Writes nothing there.
 * <ol>
 *   <li>Ask, in one round trip: {@code CLIENT ID}, {@code INFO server} and {@code INFO replication}, {@code ROLE}, and
 *       {@code keyslot:meta}, which the primary has replicated.
 *   <li>Check that the server is a replica of a supported version, and holds the expected partition.
 *   <li>Take the name by which the connection is dropped when another incarnation begins there.
 * </ol>
 *
 * <p>Entries are read by the epoch of the recorded incarnation. Whether the replica still follows that primary, and its
 * lag, do not matter here: each read checks the heartbeat.
 */
public final class ReplicaHandshake {
    private final HandshakeCommands commands;
    private final PartitionIdentity identity;
    private final Predecessors predecessors;

    public ReplicaHandshake(
            RedisAsyncCommands<byte[], byte[]> redis,
            String address,
            PartitionIdentity identity,
            Predecessors predecessors) {
        this.commands = new HandshakeCommands(redis, address);
        this.identity = identity;
        this.predecessors = predecessors;
    }

    private record Met(ServerInfo server, long clientId, InstanceRecord record) {}

    /** Runs the handshake. Fails with a {@code ConnectFailure}, possibly within a completion exception. */
    public CompletableFuture<Handshake.Result> shake(String name) {
        return greet().thenCompose(met -> {
            Incarnation incarnation = incarnationOf(met.record());
            Agreement agreement = new Agreement(commands, identity, new Remembered(new RandomIds(new SecureRandom())));
            return agreement
                    .examine(met.record(), met.server())
                    .thenCompose(consent -> HandshakeEnd.takeName(commands, name))
                    .thenApply(named -> new Handshake.Result(
                            commands.address(),
                            met.clientId(),
                            met.server(),
                            Optional.empty(),
                            incarnation.epoch(),
                            true,
                            new FenceKeys(identity.namespace()),
                            identity.slotMap().version(),
                            List.of(),
                            null));
        });
    }

    private CompletableFuture<Met> greet() {
        CompletableFuture<Long> clientId = Greeting.clientId(commands);
        CompletableFuture<ServerInfo> server =
                commands.server().thenApply(info -> Greeting.supported(info, commands, predecessors));
        CompletableFuture<List<Object>> role = Greeting.role(commands);
        CompletableFuture<InstanceRecord> record = commands.readRecord();
        return server.thenCompose(info -> role.thenApply(
                        said -> replica(said, info, commands, "name a replica of the partition's server"))
                .thenCombine(clientId, (ours, id) -> id)
                .thenCombine(record, (id, read) -> new Met(info, id, read)));
    }

    /** Returns a replica's role; fails otherwise. If the role is empty, {@code INFO} decides. */
    static List<Object> replica(List<Object> role, ServerInfo server, HandshakeCommands commands, String otherwise) {
        String told = server.isReplica() ? "slave" : "master";
        String name = role.isEmpty() ? told : role.get(0) instanceof byte[] first ? RespAnswers.text(first) : "unknown";
        if (!name.equals("slave")) {
            throw commands.failure(
                    Kind.UNREACHABLE,
                    "the server is not a replica but has the role '%s'; %s".formatted(name, otherwise));
        }
        return role;
    }

    /** Without a record, the primary is unused, or the record is not replicated yet. */
    private Incarnation incarnationOf(InstanceRecord record) {
        Optional<Incarnation> incarnation =
                record.isBlankFor(identity) ? Optional.empty() : Incarnation.parse(record.incarnation());
        return incarnation
                .filter(known -> known.state() == Incarnation.State.OPEN)
                .orElseThrow(() -> commands.failure(
                        Kind.UNREACHABLE, "the replica has no open epoch of the partition in keyslot:meta"));
    }
}
