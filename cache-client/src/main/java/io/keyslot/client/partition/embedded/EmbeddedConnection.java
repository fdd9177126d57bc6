// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.embedded.EmbeddedPartition.Incarnation;
import io.keyslot.client.partition.embedded.EmbeddedPartition.OpenConnections;
import io.keyslot.client.stored.EncodedKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

/**
 * A connection to one incarnation of a partition in this process.
 *
 * <p>There is no queue in which an announcement follows earlier commands, and an admitted thread may pause at any
 * point. So the route version is checked again where it matters: by a write, with the locks of its slots held, before
 * it changes anything; by a read, after it has read. A thread that takes these locks after an announcement or the loss
 * of the connection sees all earlier changes, and no later ones follow.
 */
final class EmbeddedConnection implements PartitionConnection {
    private static final AtomicLong IDS = new AtomicLong();

    private final long id = IDS.incrementAndGet();
    private final String address;
    private final Incarnation incarnation;
    private final OpenConnections ofConnector;
    private final EmbeddedOperations operations;
    private final PushListeners listeners = new PushListeners();
    private final EmbeddedPushes pushes;
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final AtomicLong announced;

    EmbeddedConnection(EmbeddedPartition partition, OpenConnections ofConnector, long mapVersion) {
        this.announced = new AtomicLong(mapVersion);
        this.address = partition.address();
        this.incarnation = partition.incarnation();
        this.ofConnector = ofConnector;
        this.pushes = new EmbeddedPushes(listeners, incarnation.entries());
        this.operations =
                new EmbeddedOperations(incarnation, () -> partition.succeed(incarnation), pushes, id, address);
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
        return CompletableFuture.completedFuture(reply(command, route));
    }

    private <R> Reply<R> reply(Command<R> command, Route route) {
        if (incarnation.connections().isEnded()) {
            return Reply.refused(Refusal.UNAVAILABLE, "the connection to " + address + " is lost");
        }
        long version = route.mapVersion();
        if (isOutdated(version)) {
            return outdated(version);
        }
        long needed = incarnation.entries().fences().minVersion();
        if (needed > announced.get()) {
            lose("the slot map has version %d at %s, which this client does not know".formatted(needed, address));
            return Reply.refused(Refusal.UNAVAILABLE, "the connection to " + address + " is lost");
        }
        if (route.isFenced()) {
            return incarnation.entries().fences().execute(command, route, () -> operations.execute(command));
        }
        return command.isWrite() ? write(command, version) : read(command, version);
    }

    private <R> Reply<R> read(Command<R> command, long version) {
        Reply<R> read = operations.execute(command);
        return isOutdated(version) ? outdated(version) : read;
    }

    private <R> Reply<R> write(Command<R> command, long version) {
        if (command instanceof Command.Put put) {
            return write(command, put.key(), version);
        } else if (command instanceof Command.OfKey<R> ofKey) {
            return write(command, ofKey.key(), version);
        }
        return incarnation.entries().together(command.keys(), () -> writeHere(command, version));
    }

    /** Like the general case, without the cost of collecting the slots. */
    private <R> Reply<R> write(Command<R> command, EncodedKey only, long version) {
        Lock lock = incarnation.entries().lockOf(only);
        lock.lock();
        try {
            return writeHere(command, version);
        } finally {
            lock.unlock();
        }
    }

    private <R> Reply<R> writeHere(Command<R> command, long version) {
        return isOutdated(version) ? outdated(version) : operations.execute(command);
    }

    private boolean isOutdated(long version) {
        return version < announced.get() || lost.isDone();
    }

    private <R> Reply<R> outdated(long version) {
        return lost.isDone()
                ? Reply.refused(Refusal.UNAVAILABLE, "the connection to " + address + " is lost")
                : Reply.refused(
                        Refusal.STALE_ROUTE,
                        "routed by version %d of the slot map, announced is %d".formatted(version, announced.get()));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
        announced.accumulateAndGet(mapVersion, Math::max);
        return CompletableFuture.completedFuture(Reply.done(true));
    }

    @Override
    public void listen(PushListener listener) {
        listeners.add(listener);
    }

    @Override
    public int epoch() {
        return incarnation.epoch();
    }

    long id() {
        return id;
    }

    SlotTransfer.Peer peer() {
        return new SlotTransfer.Peer(id, "embedded", true, announced.get(), 0);
    }

    Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public CompletableFuture<String> lost() {
        return lost;
    }

    /** Makes this connection unusable. Idempotent. */
    void lose(String reason) {
        pushes.end(reason);
        lost.complete(reason);
        ofConnector.remove(this);
        incarnation.connections().remove(this);
    }

    @Override
    public void close() {
        lose("the connection to " + address + " was closed");
    }
}
