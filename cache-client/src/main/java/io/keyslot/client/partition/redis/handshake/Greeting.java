// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first replies of a server, which is a primary of a supported version. */
record Greeting(ServerInfo server, long clientId, InstanceRecord instance, boolean metRefusal) {
    private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);

    /** Sends all commands in one round trip, and rejects other servers. */
    static CompletableFuture<Greeting> ask(HandshakeCommands commands, Predecessors predecessors) {
        AtomicBoolean metRefusal = new AtomicBoolean();
        CompletableFuture<Long> clientId =
                commands.askOr("ask CLIENT ID", commands.redis().clientId(), () -> {
                    metRefusal.set(true);
                    return askForIdByHello(commands);
                });
        CompletableFuture<InstanceRecord> instance = commands.readRecord();
        CompletableFuture<ServerInfo> server =
                commands.server().thenApply(info -> supported(info, commands, predecessors));
        CompletableFuture<List<Object>> role =
                commands.askOr("ask ROLE", commands.redis().role(), () -> {
                    metRefusal.set(true);
                    return CompletableFuture.completedFuture(List.of());
                });
        // Check the server first, as its version explains why it does not know other commands.
        return server.thenCompose(info -> role.thenApply(said -> primary(said, info, commands))
                .thenCombine(clientId, (ours, id) -> id)
                .thenCombine(instance, (id, record) -> new Greeting(info, id, record, metRefusal.get())));
    }

    static CompletableFuture<Long> clientId(HandshakeCommands commands) {
        return commands.askOr("ask CLIENT ID", commands.redis().clientId(), () -> askForIdByHello(commands));
    }

    /** Asks for the role; empty if the server lacks the command, or the user may not use it. */
    static CompletableFuture<List<Object>> role(HandshakeCommands commands) {
        return commands.askOr("ask ROLE", commands.redis().role(), () -> CompletableFuture.completedFuture(List.of()));
    }

    /** {@code HELLO} needs no right, and every supported server has it. */
    static CompletableFuture<Long> askForIdByHello(HandshakeCommands commands) {
        return commands.ask(
                        "ask HELLO",
                        commands.redis().dispatch(CommandType.HELLO, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE)))
                .thenApply(fields -> {
                    for (int i = 0; i + 1 < fields.size(); i += 2) {
                        boolean isId = fields.get(i) instanceof byte[] name
                                && RespAnswers.text(name).equals("id");
                        if (isId && fields.get(i + 1) instanceof Long id) {
                            return id;
                        }
                    }
                    throw commands.failure(
                            Kind.REJECTED,
                            "the server tells this connection's number neither by CLIENT ID nor by HELLO");
                });
    }

    static ServerInfo supported(ServerInfo server, HandshakeCommands commands, Predecessors predecessors) {
        if (!server.reportsRunId() && !server.isNameless()) {
            predecessors.warnThatRunIsUnknown(LOG, commands.address());
        }
        if (!server.isSupported()) {
            throw commands.failure(
                    Kind.REJECTED,
                    "the server has version %d.%d, needed is %s or newer"
                            .formatted(server.major(), server.minor(), ServerInfo.OLDEST_VERSION));
        }
        return server;
    }

    /** A replica is rejected only for now: after a failover the address may lead to the primary. */
    static List<Object> primary(List<Object> role, ServerInfo server, HandshakeCommands commands) {
        String told = server.isReplica() ? "slave" : "master";
        String name = role.isEmpty() ? told : role.get(0) instanceof byte[] first ? RespAnswers.text(first) : "unknown";
        if (!name.equals("master")) {
            throw commands.failure(
                    Kind.UNREACHABLE,
                    "the server is not a primary but has the role '%s'; name the primary".formatted(name));
        }
        return role;
    }
}
