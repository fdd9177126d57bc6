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
 * What happens on a new connection to a replica before it is read. Nothing is written there.
 *
 * <ol>
 *   <li>Ask, in one round trip: our number, {@code INFO server} and {@code INFO replication}, {@code ROLE}, {@code keyslot:meta},
 *       which the primary has replicated.
 *   <li>Check that it is a replica of a supported version, and that what it has is the partition that is expected.
 *   <li>Take the name by which the connection is dropped when another life is begun there.
 * </ol>
 *
 * <p>Entries are read by the epoch of the life that is recorded. Whether the replica still follows the primary of that life, and how
 * far, the handshake need not know: each read asks for the beat.
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

    /** Shakes hands. The future fails with a {@link io.keyslot.client.partition.ConnectFailure}, possibly within a completion exception. */
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

    /**
     * Returns the role if it is that of a replica.
     *
     * @param role nothing if the server does not know the command, or the user may not use it: then {@code INFO} tells
     * @param otherwise what is to be done if it is not
     */
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

    /** Without a record, nobody has used the primary yet, or the replica has not got it yet. */
    private Incarnation incarnationOf(InstanceRecord record) {
        Optional<Incarnation> incarnation =
                record.isBlankFor(identity) ? Optional.empty() : Incarnation.parse(record.incarnation());
        return incarnation
                .filter(known -> known.state() == Incarnation.State.OPEN)
                .orElseThrow(() -> commands.failure(
                        Kind.UNREACHABLE, "the replica has no open epoch of the partition in keyslot:meta"));
    }
}
