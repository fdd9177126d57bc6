// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.PartitionIdentity;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * How a new connection comes into the partition's life: the end of its {@link Handshake}.
 *
 * <ul>
 *   <li>{@link Succession} says what to do about the life that is recorded. Each step changes the record by comparison, so
 *       that several clients may take it at once, and one may go on where another ended.
 *   <li>A life is opened only after all connections that were in use before it have been dropped. So no two lives are in
 *       use at one server at a time.
 *   <li>Who wants to use a life first takes the name by which it is dropped, and then looks whether the life still goes on:
 *       either the look finds the next life, or whoever begins the next one finds the name.
 * </ul>
 */
final class HandshakeEnd {
    /** The step of each client changes the record once. */
    private static final int MAX_STEPS = 20;

    private final HandshakeCommands commands;
    private final IncarnationRecord record;
    private final EarlierConnections earlier;
    private final PartitionIdentity identity;
    private final Remembered remembered;
    private final String name;

    /** @param name the name of a connection in use, in the list of the server's clients */
    HandshakeEnd(
            HandshakeCommands commands,
            PartitionIdentity identity,
            Predecessors predecessors,
            Remembered remembered,
            String name) {
        this.commands = commands;
        this.identity = identity;
        this.record = new IncarnationRecord(commands);
        this.earlier = new EarlierConnections(commands, predecessors);
        this.remembered = remembered;
        this.name = name;
    }

    /**
     * Returns the life that the connection is in; none if it only looks, and there is no life that it might use. The
     * future fails with a {@link ConnectFailure}, possibly within a completion exception.
     *
     * @param recorded the field {@link Incarnation#FIELD}
     */
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
                ? record.replace(recorded, next.incarnation())
                : complete(next.incarnation(), clientId);
        return present.thenCompose(text -> step(text, server, clientId, steps - 1));
    }

    private CompletableFuture<Optional<Incarnation>> use(Incarnation incarnation, long clientId, int steps) {
        CompletableFuture<Void> named = takeName().thenCombine(unlessOutdated(), (done, newEnough) -> null);
        CompletableFuture<String> recorded = record.read();
        CompletableFuture<ServerInfo> server = commands.server();
        return CompletableFuture.allOf(named, recorded, server)
                .thenCompose(all -> server)
                .thenCombine(recorded, Seen::new)
                .thenCompose(seen -> Succession.goesOn(incarnation, Incarnation.parse(seen.recorded()), seen.server())
                        ? CompletableFuture.completedFuture(learned(incarnation))
                        : step(seen.recorded(), seen.server(), clientId, steps - 1));
    }

    /** What a look has found. */
    private record Seen(ServerInfo server, String recorded) {}

    private CompletableFuture<Optional<Incarnation>> onlyLook(Succession next) {
        if (next.step() == Succession.Step.COMPLETE) {
            throw failure("others begin a new epoch at this moment");
        }
        // Whoever begins a life drops it.
        return takeName().thenCombine(unlessOutdated(), (done, newEnough) -> Optional.empty());
    }

    private Optional<Incarnation> learned(Incarnation incarnation) {
        if (!remembered.learn(incarnation)) {
            throw failure("another connection of this process has come to a later epoch meanwhile");
        }
        return Optional.of(incarnation);
    }

    /**
     * Asked behind the name: whoever looks for old names in the list of clients has set the version before, and finds this
     * one there, or it finds the version here.
     */
    private CompletableFuture<Void> unlessOutdated() {
        return commands.minVersion(identity).thenAccept(needed -> {
            if (needed > identity.slotMap().version()) {
                throw commands.outdated(identity, needed);
            }
        });
    }

    /** {@code HELLO} can do it like {@code CLIENT SETNAME}, and needs no right. */
    private CompletableFuture<Void> takeName() {
        return takeName(commands, name);
    }

    /** Takes the name by which the connection is dropped when its life is over. */
    static CompletableFuture<Void> takeName(HandshakeCommands commands, String name) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add(3).add("SETNAME").add(name);
        return commands.ask(
                        "take a name by HELLO",
                        commands.redis()
                                .dispatch(
                                        CommandType.HELLO, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), arguments))
                .thenAccept(answer -> {});
    }

    /** Drops the connections that are in use, none of which can be in this life, and opens it. */
    private CompletableFuture<String> complete(Incarnation beginning, long clientId) {
        CompletableFuture<String> clients = earlier.list();
        // Others may have done it. If they had not even after the list was made, nobody in it can be in this life.
        CompletableFuture<String> recorded = record.read();
        return clients.thenCompose(list -> recorded.thenCompose(present -> present.equals(beginning.text())
                ? earlier.drop(ClientList.othersBeside(clientId, list))
                        .thenCompose(done -> record.replace(beginning.text(), beginning.opened()))
                : CompletableFuture.completedFuture(present)));
    }

    private CompletionException failure(String reason) {
        return commands.failure(Kind.UNREACHABLE, reason);
    }
}
