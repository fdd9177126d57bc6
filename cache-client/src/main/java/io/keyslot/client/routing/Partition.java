// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition with its health. Safe for use by any number of threads.
 *
 * <ul>
 *   <li>One lost connection, or three commands in a row without an answer, make it missing. The connection is closed.
 *   <li>While it is missing, a command is refused at once, without I/O.
 *   <li>One attempt to connect at a time finds out whether it is back. {@link ProbePace} has the pauses between them.
 *   <li>Nothing here blocks.
 * </ul>
 *
 * <p>{@link Health} has the states. They change one at a time; what follows from a change is done outside the lock, as it
 * may run continuations of others.
 */
public final class Partition implements AutoCloseable {
    private final PartitionId id;
    private final PartitionConnector connector;
    private final ConnectLimit connects;
    private final Timing timing;
    private final ProbePace pace;
    private final PartitionObserver observer;
    private final PartitionLog log;
    private final Object transition = new Object();
    private volatile Health health; // written while holding transition
    private final AtomicBoolean started = new AtomicBoolean();
    private final CompletableFuture<Void> tried = new CompletableFuture<>();

    /** Creates a partition that does nothing before {@link #start}. It closes the connector when it is closed. */
    public Partition(
            PartitionId id,
            PartitionConnector connector,
            ConnectLimit connects,
            Timing timing,
            PartitionObserver observer) {
        this(id, connector, connects, timing, observer, LoggerFactory.getLogger(Partition.class));
    }

    Partition(
            PartitionId id,
            PartitionConnector connector,
            ConnectLimit connects,
            Timing timing,
            PartitionObserver observer,
            Logger logger) {
        this.id = id;
        this.connector = connector;
        this.connects = connects;
        this.timing = timing;
        this.pace = new ProbePace(timing);
        this.observer = observer;
        this.log = new PartitionLog(logger, id, connector.address(), timing.ticker());
        this.health = Missing.neverConnected(timing.ticker().nanos());
    }

    /** Begins to connect. The future completes when the first attempt has an outcome, whichever it is. */
    public CompletableFuture<Void> start() {
        if (started.compareAndSet(false, true)) {
            change(Health::onProbe);
        }
        return tried;
    }

    /** Sends a command that was routed by this version of the slot map, or refuses it if the partition is missing. */
    <R> CompletableFuture<Reply<R>> send(Command<R> command, long mapVersion) {
        Health now = health;
        PartitionConnection connection = now.connection();
        if (connection == null) {
            return CompletableFuture.completedFuture(refusal(now));
        }
        CompletableFuture<Reply<R>> reply = connection.send(command, mapVersion);
        Reply<R> known = Futures.valueOf(reply);
        if (known == null) {
            return reply.whenComplete((late, failure) -> learnFrom(late, connection));
        }
        learnFrom(known, connection);
        return reply;
    }

    private <R> Reply<R> refusal(Health now) {
        String state = now instanceof Closed ? "closed" : "missing: " + now.problem();
        return Reply.refused(Refusal.UNAVAILABLE, "partition " + id + " at " + connector.address() + " is " + state);
    }

    private void learnFrom(@Nullable Reply<?> reply, PartitionConnection from) {
        if (reply == null) {
            return; // a failed future breaks the port's contract and says nothing about the partition
        }
        switch (Evidence.of(reply)) {
            case ANSWER -> answered(from);
            case SILENCE ->
                change(before -> before.onSilence(from, timing.ticker().nanos()));
            case NONE -> {}
        }
    }

    private void answered(PartitionConnection from) {
        // Nearly every reply is an answer of a healthy partition: no more than this look for it.
        if (!(health instanceof Healthy)) {
            change(before -> before.onAnswer(from));
        }
    }

    /** Returns whether the event changed anything. */
    private boolean change(UnaryOperator<Health> event) {
        Health before;
        Health after;
        synchronized (transition) {
            before = health;
            after = event.apply(before);
            health = after;
        }
        if (after.equals(before)) {
            return false;
        }
        tell(before, after);
        follow(before, after);
        return true;
    }

    private void tell(Health before, Health after) {
        if (after instanceof Missing missing) {
            log.missing(missing.problem(), missing.failure());
        } else if (after instanceof Healthy healthy && before instanceof Probing probing) {
            log.healthy(healthy.since() - probing.before().since());
        }
        if (before.state() != after.state()) {
            try {
                observer.onTransition(id, before.state(), after.state());
            } catch (RuntimeException e) {
                log.observerFailed(e);
            }
        }
    }

    private void follow(Health before, Health after) {
        PartitionConnection givenUp = before.connection();
        if (givenUp != null && after.connection() == null) {
            // Before the next connect: it must be known by then that nothing sent on this one is executed any more.
            givenUp.close();
        }
        if (after instanceof Probing) {
            Futures.whenOver(connects.run(this::connect), this::connected);
        } else if (before instanceof Probing) {
            tried.complete(null);
        }
        if (after instanceof Missing missing) {
            probeLater(missing);
        } else if (after instanceof Healthy healthy && before instanceof Probing) {
            PartitionConnection connection = healthy.connection();
            Futures.whenOver(connection.lost(), (why, failure) -> lost(connection, String.valueOf(why)));
        }
    }

    private void lost(PartitionConnection connection, String why) {
        change(before -> before.onLost(connection, why, timing.ticker().nanos()));
    }

    private void probeLater(Missing missing) {
        long pause = pace.pauseNanos(missing);
        if (pause == 0) {
            change(Health::onProbe);
        } else {
            // Without a scheduler the process is about to end, and the partition stays missing.
            timing.schedule(() -> change(Health::onProbe), pause);
        }
    }

    private CompletableFuture<PartitionConnection> connect() {
        return health instanceof Closed
                ? CompletableFuture.failedFuture(
                        new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "closed before it was connected", null))
                : connector.connect();
    }

    private void connected(@Nullable PartitionConnection connection, @Nullable Throwable failure) {
        if (connection == null) {
            change(before -> before.onConnectFailure(ConnectFailures.of(failure)));
            return;
        }
        change(before -> before.onConnected(connection, timing.ticker().nanos()));
        if (health instanceof Closed) {
            connection.close();
        }
    }

    public PartitionId id() {
        return id;
    }

    /** Returns how the partition is. It does not know how many slots it owns: the caller says. */
    public PartitionStatus status(int slots) {
        Health now = health;
        return new PartitionStatus(id, connector.address(), now.state(), now.problem(), slots);
    }

    /** Returns the epoch of the present life, or of the last one; 0 if there was none. */
    public int epoch() {
        return health.epoch();
    }

    /** Returns why the server does not accept us, if that is why the partition is missing. */
    public Optional<ConnectFailure> rejection() {
        Health now = health;
        Missing missing = now instanceof Probing probing ? probing.before() : now instanceof Missing m ? m : null;
        return missing != null && missing.isRejected() ? Optional.ofNullable(missing.failure()) : Optional.empty();
    }

    /** Gives the connection and the connector up. Commands in flight become unknown; later ones are refused. */
    @Override
    public void close() {
        if (change(Health::onClose)) {
            tried.complete(null);
            connector.close();
        }
    }
}
