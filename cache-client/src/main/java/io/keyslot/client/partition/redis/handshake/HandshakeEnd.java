// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.handshake.Incarnation.Succession;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The last part of the {@link Handshake}, in which a new connection joins the partition's incarnation.
 * <ul>
 *   <li>{@link Succession} determines the step for the recorded incarnation. Each step changes the record by
 *       compare-and-set, so several clients may take it at once, and one may continue where another stopped.
 *   <li>An incarnation is opened only after all connections that were in use before it have been dropped. So no two
 *       incarnations are in use at one server at a time.
 *   <li>To use an incarnation, a client first takes the name by which it is dropped, and then checks that the
 *       incarnation goes on. Either the check finds the next incarnation, or the client that begins the next one finds
 *       the name.
 * </ul>
 */
record HandshakeEnd(HandshakeCommands commands, PartitionIdentity identity, Remembered remembered, String name) {
    /** Each client's step changes the record once. */
    private static final int MAX_STEPS = 20;

    /** Joins the incarnation; empty if there is none for a read-only client. Fails with a {@link ConnectFailure}. */
    CompletableFuture<Optional<Incarnation>> enter(String recorded, ServerInfo server, long clientId) {
        return step(recorded, server, clientId, MAX_STEPS);
    }

    private CompletableFuture<Optional<Incarnation>> step(
            String recorded, ServerInfo server, long clientId, int steps) {
        if (steps == 0) {
            throw failure("others change keyslot:meta all the time");
        }
        Succession next = remembered.next(recorded, server.serverRun());
        if (next.step() == Succession.Step.USE) {
            return use(next.incarnation(), clientId, steps);
        }
        if (!identity.adopts()) {
            return onlyLook(next);
        }
        CompletableFuture<String> present = next.step() == Succession.Step.BEGIN
                ? commands.replaceIncarnation(recorded, next.incarnation())
                : complete(next.incarnation(), clientId);
        return present.thenCompose(text -> step(text, server, clientId, steps - 1));
    }

    private CompletableFuture<Optional<Incarnation>> use(Incarnation incarnation, long clientId, int steps) {
        CompletableFuture<Void> named =
                commands.takeName(name).thenCombine(unlessOutdated(), (done, newEnough) -> null);
        CompletableFuture<String> recorded = commands.readIncarnation();
        CompletableFuture<ServerInfo> server = commands.server(ServerInfo::objection);
        return CompletableFuture.allOf(named, recorded, server)
                .thenCompose(all -> server)
                .thenCombine(recorded, Seen::new)
                .thenCompose(seen -> incarnation.goesOn(Incarnation.parse(seen.recorded()), seen.server())
                        ? CompletableFuture.completedFuture(learned(incarnation))
                        : step(seen.recorded(), seen.server(), clientId, steps - 1));
    }

    private record Seen(ServerInfo server, String recorded) {}

    private CompletableFuture<Optional<Incarnation>> onlyLook(Succession next) {
        if (next.step() == Succession.Step.COMPLETE) {
            throw failure("others begin a new epoch at this moment");
        }
        // A client that begins an incarnation drops this connection.
        return commands.takeName(name).thenCombine(unlessOutdated(), (done, newEnough) -> Optional.empty());
    }

    private Optional<Incarnation> learned(Incarnation incarnation) {
        if (!remembered.learn(incarnation)) {
            throw failure("another connection of this process has come to a later epoch meanwhile");
        }
        return Optional.of(incarnation);
    }

    /**
     * Checks the minimum map version after the connection has its name. A client that looks for old names has set the
     * version before, so it finds this name, or this check finds the version.
     */
    private CompletableFuture<Void> unlessOutdated() {
        return commands.minVersion(identity).thenAccept(needed -> {
            if (needed > identity.slotMap().version()) {
                throw commands.outdated(identity, needed);
            }
        });
    }

    /** Drops the connections in use, none of which can be in this incarnation, and opens it. */
    private CompletableFuture<String> complete(Incarnation beginning, long clientId) {
        CompletableFuture<String> clients = commands.listClients();
        // Another client may have opened it. If not even after the list was made, no listed connection can be in it.
        CompletableFuture<String> recorded = commands.readIncarnation();
        return clients.thenCompose(list -> recorded.thenCompose(present -> present.equals(beginning.text())
                ? commands.dropOthers(clientId, list)
                        .thenCompose(done -> commands.replaceIncarnation(beginning.text(), beginning.opened()))
                : CompletableFuture.completedFuture(present)));
    }

    private CompletionException failure(String reason) {
        return commands.failure(Kind.UNREACHABLE, reason);
    }
}
