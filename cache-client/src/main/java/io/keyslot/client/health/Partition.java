// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.Health.Cause;
import io.keyslot.client.health.Health.Closed;
import io.keyslot.client.health.Health.Healthy;
import io.keyslot.client.health.Health.Missing;
import io.keyslot.client.health.Health.Probing;
import io.keyslot.client.health.Health.Replaying;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition with its health. Thread-safe; no method blocks.
 *
 * <ul>
 *   <li>Three commands in a row without an answer make it missing, and the connection is closed.
 *   <li>After a lost connection, unsent calls wait for the first reconnect. Only if that fails or takes too long is the
 *       partition missing.
 *   <li>While it is missing, commands are refused at once, without I/O.
 *   <li>One connect at a time probes a missing partition, with pauses up to {@link Health.Missing#pauseLimit}.
 *   <li>A new connection first sends the pending deletes, before anything else.
 *   <li>A key whose deletion the server refused is not read until it is deleted; see {@link PendingKeys}.
 * </ul>
 *
 * <p>The {@link Health} changes one event at a time. This class acts on a change outside the lock, because that may run
 * continuations of callers.
 */
public final class Partition implements AutoCloseable {
    /** The maximum time that calls wait for a newer map. After that, the voters of the map are considered lost. */
    static final Duration LONGEST_WAIT_FOR_MAP = Duration.ofSeconds(2);

    /**
     * A listener for reports of a partition about a newer slot map. The methods are called for each report, and neither
     * block nor throw.
     */
    public interface NewerMaps {
        /**
         * The partition knows a map of this version or a newer one. Returns whether a search for it runs; if not, this
         * process cannot get it.
         */
        default boolean isSought(long version, PartitionId partition) {
            return false;
        }

        /** Looks for a newer map now, because a partition may accept commands routed by an older one. */
        default void look() {}

        /**
         * A command was refused because its slot is frozen; that lasts milliseconds unless the coordinator has failed.
         */
        default void refusedFrozen() {}
    }

    /** Receives the connections of partitions. Called on any thread that opens or closes one; must not block or throw. */
    public interface ConnectionListener {
        /** Called before the first command of the application is sent on a new connection. */
        default void connected(Partition partition, PartitionConnection connection) {}

        /** Called when a connection is lost or closed, before the next one is opened. */
        default void givenUp(Partition partition, PartitionConnection connection) {}
    }

    private final PartitionId id;
    private final PartitionConnector connector;
    private final ConnectLimit connects;
    private final Timing timing;
    final PartitionLog log;
    private final PendingDeletes pendingDeletes = new PendingDeletes();
    private final PendingKeys pending;
    private final Deletions deletions;
    private final AtomicLong mapVersion = new AtomicLong(); // the newest announced one
    private final AtomicLong neededMap = new AtomicLong(); // the newest one that the partition required for a connect
    private volatile long mapMissingSince;

    /**
     * Held for a change of the health, and acquired before the lock of the pending deletes. So a pending delete is added
     * either before the event that makes the partition healthy, which then waits for it, or after it, and then the
     * thread that adds it sees the connection.
     */
    private final Object transition = new Object();

    private volatile Health health; // written while holding transition
    private boolean wasHealthy; // guarded by transition
    private volatile Consumer<List<EncodedKey>> afterDeletion = keys -> {};
    private volatile Supplier<? extends Collection<Partition>> takers = List::of;
    private volatile NewerMaps newerMaps = new NewerMaps() {};
    private volatile ConnectionListener connections = new ConnectionListener() {};
    private volatile long connectingBy; // the announced map when the last connect began
    private volatile boolean left;
    private volatile long deletedNanos; // when the last deletion was answered
    private volatile @Nullable Future<?> patience;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<@Nullable ConnectFailure> failedCheck = new AtomicReference<>();
    private final CompletableFuture<Void> tried = new CompletableFuture<>();

    /** Creates a partition that does nothing before {@link #start}, and closes the connector when it is closed. */
    public Partition(
            PartitionId id, PartitionConnector connector, ConnectLimit connects, Timing timing, Telemetry telemetry) {
        this(id, connector, connects, timing, telemetry, LoggerFactory.getLogger(Partition.class));
    }

    public Partition(
            PartitionId id,
            PartitionConnector connector,
            ConnectLimit connects,
            Timing timing,
            Telemetry telemetry,
            Logger logger) {
        this.id = id;
        this.connector = connector;
        this.connects = connects;
        this.timing = timing;
        this.log = new PartitionLog(logger, id, connector.address(), timing.ticker(), telemetry);
        this.pending = new PendingKeys(pendingDeletes, place());
        this.deletions = new Deletions(pendingDeletes, timing, this);
        this.health =
                new Missing("not connected yet", null, 0, 0, timing.ticker().nanos());
        this.deletedNanos = timing.ticker().nanos() - 1;
    }

    public void listen(NewerMaps listener) {
        newerMaps = listener;
    }

    public void listen(ConnectionListener listener) {
        connections = listener;
    }

    /** Checks whether the partition would accept this client, without changing anything. */
    public CompletableFuture<Void> look() {
        return connects.run(connector.address(), timing, () -> connector.look().thenApply(done -> true))
                .handle((done, thrown) -> thrown)
                .thenCompose(thrown -> thrown == null
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(learned(failureOf(thrown))));
    }

    /** Starts like {@link #start}, with this failed check as the first attempt. */
    public CompletableFuture<Void> startAfter(ConnectFailure failure) {
        boolean isOver = failure.kind() == ConnectFailure.Kind.OUTDATED && !isMapOutdated();
        failedCheck.set(isOver ? null : failure);
        return start();
    }

    /**
     * Checks the partition and then connects, even if the check failed: a partition that rejects this client is
     * missing. The future completes after the first attempt, whatever its outcome.
     */
    public CompletableFuture<Void> join() {
        Futures.whenOver(look(), (looked, thrown) -> {
            CompletableFuture<Void> unused = thrown == null ? start() : startAfter(failureOf(thrown));
        });
        return tried;
    }

    /**
     * Refuses commands routed by an older map than this on every connection from now on. The future completes when all
     * commands sent before are answered.
     */
    public CompletableFuture<Void> announce(SlotMap newest) {
        connector.announce(newest); // before a connect that takes it for announced
        mapVersion.accumulateAndGet(newest.version(), Math::max);
        // A connect that is in progress has either not seen the announcement, or is visible here.
        Health now = health;
        PartitionConnection over = now.held();
        if (now instanceof Missing missing && missing.isOutdated()) {
            probe(); // it has waited for this
        }
        return over == null
                ? CompletableFuture.completedFuture(null)
                : over.announce(newest.version()).thenAccept(answered -> {});
    }

    /**
     * Sets the routes of deletions, and what is done after one, before it counts as confirmed. {@code current} returns the
     * partitions to which other processes may bring entries from here: what is invalidated here as a whole is then
     * invalidated there.
     */
    public void route(
            Function<EncodedKey, Route> newest,
            Consumer<List<EncodedKey>> listener,
            Supplier<? extends Collection<Partition>> current) {
        deletions.route(newest);
        afterDeletion = listener;
        takers = current;
    }

    public boolean hasEverythingPending() {
        return pendingDeletes.isEverything();
    }

    /**
     * Returns whether the key has a pending delete now or had one at this time, so that a replica in the state of that
     * time may still have the outdated value.
     */
    public boolean hasPending(EncodedKey key, long nanos) {
        return pendingDeletes.has(key) || nanos - deletedNanos <= 0;
    }

    /** Returns whether a key has a pending delete. Costs one volatile read if none has. */
    public boolean hasPending(EncodedKey key) {
        return !pendingDeletes.isEmpty() && pendingDeletes.has(key);
    }

    /** Returns whether every deletion requested before this call is done. */
    public boolean hasNothingPending() {
        return pendingDeletes.isEmpty();
    }

    /**
     * Drops the pending deletes of these keys, because other partitions are now responsible for them. Returns the keys.
     */
    public List<EncodedKey> release(Predicate<EncodedKey> keys) {
        return pendingDeletes.release(keys);
    }

    /**
     * Announces a map without this partition: late commands are refused as routed by an outdated map, with or without a
     * connection. When the future completes, the partition may be closed.
     */
    public CompletableFuture<Void> leave(SlotMap newest) {
        left = true;
        return announce(newest);
    }

    /** Starts to connect. The future completes after the first attempt, whatever its outcome. */
    public CompletableFuture<Void> start() {
        if (started.compareAndSet(false, true)) {
            probe();
        }
        return tried;
    }

    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
        Health now = health;
        PartitionConnection connection = now.connection();
        if (connection == null) {
            return CompletableFuture.completedFuture(refusal(now));
        }
        return hasNothingPending()
                ? sendOver(command, route, patience, connection)
                : sendBesidePending(command, route, patience, connection);
    }

    /**
     * Sends a request to the partition as a voter on the map. Reads also work if the partition accepts only clients
     * with a newer map.
     */
    public CompletableFuture<Reply<AcceptorAnswer>> ask(RegisterCommand command) {
        boolean isBeside =
                isMapOutdated() && health.connection() == null && command.request() instanceof AcceptorRequest.Read;
        return isBeside
                ? connects.run(connector.address(), timing, () -> connector.recall(command.namespace()))
                        .handle((answer, thrown) -> thrown == null
                                ? Reply.done(answer)
                                : Reply.refused(
                                        Refusal.UNAVAILABLE, failureOf(thrown).reason()))
                : send(command, Route.ANY, Patience.UNLIMITED);
    }

    @SuppressWarnings("ReferenceEquality") // tells whether the reply was replaced
    private <R> CompletableFuture<Reply<R>> sendOver(
            Command<R> command, Route route, Patience patience, PartitionConnection connection) {
        CompletableFuture<Reply<R>> reply;
        if (patience.waiter() == null) {
            reply = patience.deadline().begin(() -> connection.send(command, route, patience), () -> givenUp(command));
        } else {
            // The calling thread waits here, so it cannot have given up meanwhile.
            reply = connection.send(command, route, patience);
            if (!reply.isDone()) {
                patience.await(reply);
            }
        }
        Reply<R> known = Futures.valueOf(reply);
        if (known == null) {
            return reply.thenApply(late -> learned(command, late, connection));
        }
        Reply<R> usable = learned(command, known, connection);
        return usable == known ? reply : CompletableFuture.completedFuture(usable);
    }

    private <R> CompletableFuture<Reply<R>> givenUp(Command<R> command) {
        return CompletableFuture.completedFuture(Reply.refused(
                Refusal.UNAVAILABLE,
                "the caller had given up before %s was sent to %s".formatted(command.name(), nameOf(id))));
    }

    private <R> Reply<R> learned(Command<R> command, Reply<R> reply, PartitionConnection connection) {
        boolean isDone = learnFrom(command, reply, connection);
        Reply<R> known = isDone || !isUnsent(reply) ? reply : unsent(reply, connection);
        return hasNothingPending() ? known : pending.reply(command, known);
    }

    /** A command that a lost connection did not send may be sent on the next one if that comes soon. */
    private <R> Reply<R> unsent(Reply<R> reply, PartitionConnection connection) {
        lost(connection, "a command was not sent");
        Health now = health;
        return now.isAwaited() || now.connection() != null ? toBeSent(reply) : reply;
    }

    private static boolean isDone(Command<?> command, Reply<?> reply) {
        if (!(reply instanceof Reply.Done<?> done)) {
            return false;
        }
        if (command instanceof Command.PutAll) {
            for (Reply<Boolean> part : partsOf(done)) {
                if (!(part instanceof Reply.Done)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isUnsent(Reply<?> reply) {
        return reply instanceof Reply.Done<?> done
                ? partsOf(done).stream().anyMatch(part -> part.isRefused(Refusal.UNAVAILABLE))
                : reply.isRefused(Refusal.UNAVAILABLE);
    }

    @SuppressWarnings("unchecked") // the answer of a bulk write
    private static List<Reply<Boolean>> partsOf(Reply.Done<?> reply) {
        return (List<Reply<Boolean>>) reply.value();
    }

    /** Returns the reply with refusals that cause the unsent parts to be sent again. */
    @SuppressWarnings("unchecked") // the command determines the type of the answer
    private static <R> Reply<R> toBeSent(Reply<R> reply) {
        return reply instanceof Reply.Done<R> done
                ? (Reply<R>) Reply.done(partsOf(done).stream()
                        .map(part -> part.isRefused(Refusal.UNAVAILABLE) ? again(part) : part)
                        .toList())
                : again(reply);
    }

    private static <R> Reply<R> again(Reply<R> reply) {
        return reply instanceof Reply.Refused<R> refused
                ? Reply.refused(Refusal.RECONNECTING, refused.detail())
                : reply;
    }

    private <R> CompletableFuture<Reply<R>> sendBesidePending(
            Command<R> command, Route route, Patience patience, PartitionConnection connection) {
        if (pending.forbid(command)) {
            return CompletableFuture.completedFuture(pending.refusal(command));
        }
        long upTo = pending.now();
        Set<EncodedKey> outdated = pending.outdated(command);
        return sendOver(command, route, patience, connection).thenApply(reply -> {
            pending.settle(command, reply, upTo);
            return pending.reply(command, reply, outdated);
        });
    }

    private <R> Reply<R> refusal(Health now) {
        if (left) {
            return Reply.refused(Refusal.STALE_ROUTE, place() + " has left with a newer slot map");
        }
        if (now.isAwaited()) {
            return Reply.refused(Refusal.RECONNECTING, place() + " is being connected again: " + now.problem());
        }
        if (isOutdated(now) && isMapAwaited()) {
            return new Reply.Refused<>(
                    Refusal.MOVED, place() + " waits for a newer slot map: " + now.problem(), neededMap.get());
        }
        if (isOutdated(now) && !isMapOutdated()) {
            return Reply.refused(Refusal.RECONNECTING, place() + " is being connected with the newer slot map");
        }
        String state = now instanceof Closed ? "closed" : "missing: " + now.problem();
        return Reply.refused(Refusal.UNAVAILABLE, place() + " is " + state);
    }

    private boolean isMapOutdated() {
        return neededMap.get() > mapVersion.get();
    }

    /** Returns whether calls wait for a newer map rather than being refused. */
    private boolean isMapAwaited() {
        return isMapOutdated() && now() - mapMissingSince < LONGEST_WAIT_FOR_MAP.toNanos();
    }

    /** Takes note of a failed connect. Returns a final failure if it needs a newer map and none can be found. */
    private ConnectFailure learned(ConnectFailure failure) {
        if (failure.kind() != ConnectFailure.Kind.OUTDATED) {
            return failure;
        }
        if (!isMapOutdated()) {
            mapMissingSince = now();
        }
        long newer = failure.mapVersion();
        neededMap.accumulateAndGet(newer, Math::max);
        return newer <= mapVersion.get() || newerMaps.isSought(newer, id) ? failure : failure.rejected();
    }

    /** Records what a reply shows about the partition; returns whether it has executed the whole command. */
    private boolean learnFrom(Command<?> command, Reply<?> reply, PartitionConnection from) {
        if (isDone(command, reply)) {
            answered(from);
            return true;
        }
        List<? extends Reply<?>> replies = reply instanceof Reply.Done<?> done ? partsOf(done) : List.of(reply);
        replies.forEach(this::learnOfMaps);
        if (replies.isEmpty() || replies.stream().anyMatch(Partition::isByServer)) {
            answered(from);
        } else if (replies.stream().anyMatch(Reply.Unknown.class::isInstance)) {
            change(Cause.SILENCE, before -> before.onSilence(from, now()));
        }
        return false;
    }

    private static boolean isByServer(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused ? refused.refusal().isByServer() : reply instanceof Reply.Done;
    }

    private void learnOfMaps(Reply<?> reply) {
        if (reply.isRefused(Refusal.FROZEN)) {
            newerMaps.refusedFrozen();
        }
        if (reply instanceof Reply.Refused<?> refused && refused.mapVersion() > mapVersion.get()) {
            boolean unused = newerMaps.isSought(refused.mapVersion(), id);
        }
    }

    /** Called with each reply to a deletion, which is null after a bug. */
    void deleted(Command<?> command, @Nullable Reply<?> reply, PartitionConnection over) {
        deletedNanos = now(); // before the deletion counts as confirmed
        if (reply != null) {
            boolean unused = learnFrom(command, reply, over);
        }
        if (reply instanceof Reply.Done) {
            afterDeletion.accept(command.keys());
        }
        if (reply instanceof Reply.Done && command instanceof Command.NewEpoch) {
            takers.get().forEach(Partition::forgetEverything);
        }
    }

    private void answered(PartitionConnection from) {
        // Fast path: nearly every reply is an answer of a healthy partition.
        if (!(health instanceof Healthy)) {
            change(Cause.ANSWER, before -> before.onAnswer(from));
        }
    }

    /**
     * Deletes the values of these keys: at once if the partition is connected, else right after the next connect.
     * Commands that this thread sends later do not see them. Neither throws nor blocks.
     */
    public void forget(List<EncodedKey> keys) {
        add(() -> pendingDeletes.add(keys));
        PartitionConnection over = health.held();
        if (over != null) {
            deletions.sendAtOnce(keys, over);
        } else if (health instanceof Closed) {
            log.deletionsLost(keys.size());
        }
    }

    /** Invalidates everything that the partition has stored, like {@link #forget}. */
    public void forgetEverything() {
        add(pendingDeletes::addEverything);
    }

    /** Adds pending deletes unless the partition is closed; {@code adding} returns whether they fit. */
    private void add(BooleanSupplier adding) {
        AtomicBoolean overflows = new AtomicBoolean();
        change(Cause.OVERFLOW, before -> {
            overflows.set(!(before instanceof Closed) && !adding.getAsBoolean());
            return overflows.get() ? before.onOverflow(now()) : before;
        });
        if (overflows.get()) {
            log.overflowed();
        }
    }

    /**
     * Removes all entries of a cache in the background, with retries. Until that is done, this process uses no entries
     * of the cache, and entries stored meanwhile are lost. Other data is not touched. Neither throws nor blocks.
     * {@code prefix} is common to all keys of the cache; {@code asOfCache} adds the cache's attributes to a key.
     */
    public void clearLater(String prefix, UnaryOperator<EncodedKey> asOfCache) {
        if (!(health instanceof Closed)) {
            pendingDeletes.addClear(prefix, asOfCache);
            log.clearsLater();
            deletions.clearNext();
        }
    }

    /** Repeats the pending clears at other partitions, which now own slots of this one. */
    public void clearLaterAt(Supplier<? extends Collection<Partition>> others) {
        pendingDeletes.clears().forEach(clear -> others.get().forEach(other -> other.clearLater(clear)));
    }

    private void clearLater(PendingDeletes.Clear clear) {
        clearLater(clear.prefix(), clear.asOfCache());
    }

    /** Called when a clear is done, before it counts as confirmed. */
    void cleared(PendingDeletes.Clear clear) {
        takers.get().forEach(taker -> taker.clearLater(clear));
    }

    public boolean isAsked() {
        Health now = health;
        return now.connection() != null || now.isAwaited();
    }

    private boolean change(Cause cause, UnaryOperator<Health> event) {
        Health before;
        Health after;
        boolean isReturn;
        synchronized (transition) {
            before = health;
            after = event.apply(before);
            isReturn = isReturn(before, after);
            wasHealthy |= after instanceof Healthy;
            health = after;
        }
        if (after.equals(before)) {
            return false;
        }
        log.changed(before, after, cause, isReturn);
        follow(before, after);
        return true;
    }

    /** Returns whether the partition is healthy again after it was missing. Called with the lock held. */
    private boolean isReturn(Health before, Health after) {
        return before instanceof Replaying replaying
                && after instanceof Healthy
                && wasHealthy
                // An awaited reconnect to the same incarnation refused no command and has lost nothing.
                && !(replaying.isAwaited() && replaying.epoch() == after.epoch());
    }

    private void follow(Health before, Health after) {
        PartitionConnection givenUp = before.held();
        if (givenUp != null && after.held() == null) {
            connections.givenUp(this, givenUp);
            // Before the next connect, which relies on it: nothing sent on this connection is executed any more.
            givenUp.close();
        }
        if (before.state() == PartitionState.PROBING && after.state() != PartitionState.PROBING) {
            tried.complete(null);
        }
        waitFor(before, after);
        if (after instanceof Probing probing && (!(before instanceof Probing) || after.isAwaited())) {
            if (probing.pauseNanos() == 0) {
                beginConnect();
            } else {
                timing.schedule(this::beginConnect, probing.pauseNanos());
            }
        } else if (after instanceof Replaying replaying && !(before instanceof Replaying)) {
            PartitionConnection connection = replaying.held();
            connections.connected(this, connection);
            Futures.whenOver(connection.lost(), (why, failure) -> lost(connection, String.valueOf(why)));
            if (mapVersion.get() > connectingBy) { // meanwhile
                CompletableFuture<?> unused = connection.announce(mapVersion.get());
            }
            replay(replaying);
        } else if (after instanceof Missing missing) {
            probeLater(missing);
        }
    }

    private void beginConnect() {
        Futures.whenOver(connects.run(connector.address(), timing, this::connect), this::connected);
    }

    private void waitFor(Health before, Health after) {
        if (after.isAwaited() && !before.isAwaited()) {
            patience = timing.schedule(
                            () -> change(Cause.CONNECT_FAILED, now -> now.onImpatience(after.since())),
                            connector.patience().toNanos())
                    .orElse(null);
        } else if (before.isAwaited() && !after.isAwaited()) {
            Future<?> timer = patience;
            if (timer != null) {
                timer.cancel(false);
            }
        }
    }

    private void lost(PartitionConnection connection, String why) {
        change(Cause.LOST, before -> before.onLost(connection, why, now()));
    }

    private void probeLater(Missing missing) {
        long pause = missing.attempts() == 0 ? 0 : timing.upTo(missing.pauseLimit());
        if (pause == 0) {
            probe();
        } else {
            // Without a scheduler the process is about to end, and the partition stays missing.
            timing.schedule(this::probe, pause);
        }
    }

    private void probe() {
        change(Cause.PROBE, Health::onProbe);
    }

    private CompletableFuture<PartitionConnection> connect() {
        ConnectFailure failure = failedCheck.getAndSet(null);
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        connectingBy = mapVersion.get();
        return health instanceof Closed
                ? CompletableFuture.failedFuture(
                        new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "closed before it was connected", null))
                : connector.connect();
    }

    private void connected(@Nullable PartitionConnection connection, @Nullable Throwable thrown) {
        if (connection == null) {
            ConnectFailure failure = learned(failureOf(thrown));
            change(Cause.of(failure), before -> before.onConnectFailure(failure));
            if (failure.kind() == ConnectFailure.Kind.OUTDATED && !isMapOutdated()) {
                probe(); // the newer map arrived in the meantime
            }
            return;
        }
        int epochBefore = health.epoch();
        if (epochBefore != 0 && epochBefore != connection.epoch()) {
            newerMaps.look(); // so it would accept clients with an outdated map
        }
        change(Cause.CONNECTED, before -> before.onConnected(connection, pendingDeletes.latest()));
        if (health instanceof Closed) {
            connection.close();
        }
    }

    private void replay(Replaying now) {
        Futures.whenOver(
                deletions.replay(now.upTo(), now.held()), (isNewEpoch, failure) -> replayed(now, isNewEpoch, failure));
    }

    private void replayed(Replaying now, @Nullable Boolean isNewEpoch, @Nullable Throwable thrown) {
        PartitionConnection over = now.held();
        if (isNewEpoch == null) {
            ConnectFailure failure = failureOf(thrown);
            change(Cause.CONNECT_FAILED, before -> before.onReplayFailure(over, failure));
        } else if (isNewEpoch) {
            change(Cause.OVERFLOW, before -> before.onNewEpoch(over));
        } else if (!opened(now) && over.equals(health.held())) {
            replay(now); // too many pending deletes at the last moment
        } else if (!pendingDeletes.isEmpty()) {
            deletions.tryAgainLater(); // postponed deletes
        }
    }

    /** The check and the change are one step, so no key is added in between. */
    private boolean opened(Replaying now) {
        return change(
                Cause.CONNECTED,
                before -> pendingDeletes.isDoneUpTo(now.upTo()) ? before.onReplayed(now.held(), now()) : before);
    }

    private long now() {
        return timing.ticker().nanos();
    }

    public String place() {
        return nameOf(id) + " at " + connector.address();
    }

    public static String nameOf(PartitionId id) {
        return "partition " + id;
    }

    public PartitionId id() {
        return id;
    }

    public PartitionStatus status(int slots) {
        Health now = health;
        long millis = TimeUnit.NANOSECONDS.toMillis(now() - now.since());
        Instant since = Instant.ofEpochMilli(timing.ticker().epochMillis() - millis);
        return new PartitionStatus(
                id, connector.address(), now.state(), now.problem(), slots, since, pendingDeletes.size());
    }

    /** Returns the epoch of the present or last incarnation; 0 if there was none. */
    public int epoch() {
        return health.epoch();
    }

    public Optional<ConnectFailure> rejection() {
        Missing missing = missing(health);
        return missing != null && missing.isRejected() ? Optional.ofNullable(missing.failure()) : Optional.empty();
    }

    private static @Nullable Missing missing(Health now) {
        return now instanceof Probing probing ? probing.before() : now instanceof Missing missing ? missing : null;
    }

    private static boolean isOutdated(Health now) {
        Missing missing = missing(now);
        return missing != null && missing.isOutdated();
    }

    /**
     * Closes the connection and the connector. The outcome of commands in flight becomes unknown; later ones are
     * refused. Remaining pending deletes are dropped.
     */
    @Override
    public void close() {
        if (change(Cause.CLOSED, before -> before.onClose(now()))) {
            tried.complete(null);
            int clears = pendingDeletes.clears().size();
            int lost = pendingDeletes.drop() + clears;
            if (lost > 0) {
                log.deletionsLost(lost);
            }
            connector.close();
        }
    }

    /** Returns the connection for commands; null if there is none. */
    @Nullable
    PartitionConnection connection() {
        return health.connection();
    }

    /** Reports an unconfirmed deletion. Returns whether the connection was closed because of it. */
    boolean deletionFailed(PartitionConnection over, String why) {
        return change(Cause.CONNECT_FAILED, before -> before.onReplayFailure(over, Deletions.failure(why)));
    }

    /** Returns the {@link ConnectFailure}; the connector's contract allows no other exception. */
    public static ConnectFailure failureOf(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        String kind = cause == null ? "no connection" : cause.getClass().getSimpleName();
        return cause instanceof ConnectFailure failure
                ? failure
                : new ConnectFailure(
                        ConnectFailure.Kind.UNREACHABLE, "unexpected outcome of a connect: " + kind, cause);
    }
}
