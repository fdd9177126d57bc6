// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.lettuce.core.KillArgs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections to a server that were in use before an incarnation of the partition was opened. */
final class EarlierConnections {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierConnections.class);

    private final HandshakeCommands commands;
    private final Predecessors predecessors;

    EarlierConnections(HandshakeCommands commands, Predecessors predecessors) {
        this.commands = commands;
        this.predecessors = predecessors;
    }

    /** Returns clients of all types: to a server, a subscriber is not a normal client. */
    CompletableFuture<String> list() {
        return orNothingIfForbidden("list clients", commands.redis().clientList(), "");
    }

    CompletableFuture<Void> drop(List<Long> clientIds) {
        return CompletableFuture.allOf(clientIds.stream().map(this::drop).toArray(CompletableFuture[]::new));
    }

    /** A connection that is closed already counts as killed. */
    private CompletableFuture<Long> drop(long clientId) {
        return orNothingIfForbidden(
                "drop a connection of an earlier epoch",
                commands.redis().clientKill(KillArgs.Builder.id(clientId)),
                0L);
    }

    private <T> CompletableFuture<T> orNothingIfForbidden(String attempt, CompletionStage<T> answer, T nothing) {
        return answer.handle((value, failure) -> failure == null ? value : nothing(attempt, failure, nothing))
                .toCompletableFuture();
    }

    private <T> T nothing(String attempt, Throwable failure, T nothing) {
        if (Predecessors.isForbidden(failure)) {
            predecessors.warnThatDropIsForbidden(LOG, commands.address());
            return nothing;
        }
        throw new CompletionException(ConnectDiagnosis.of(commands.address(), attempt, failure));
    }
}
