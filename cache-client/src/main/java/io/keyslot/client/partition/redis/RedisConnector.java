// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.Credentials;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Sign;
import io.keyslot.client.partition.redis.RedisConnection.ClientName;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.slot.SlotMap;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects to one Redis or Valkey instance. Thread-safe.
 *
 * <p>One deadline covers the whole attempt: name resolution, TCP, TLS, the handshakes of Lettuce and of Keyslot. When
 * it passes, the attempt has failed, and a connection that opens later is closed. Time in which this process could not
 * read does not count, and an attempt that failed after much of it is made once more.
 */
public final class RedisConnector implements PartitionConnector, ClusterHome.Door {
    private static final long SHUTDOWN_TIMEOUT_MILLIS = 2_000;

    /** The longest pauses between two checks of the server's address; shortened randomly by up to a fifth. */
    private static final long LOOK_AT_SENTINELS_MILLIS = 1_000;

    private static final long LOOK_AT_NAME_MILLIS = 5_000;

    private final RedisResources resources;
    private final RedisClient client;
    private final PartitionUri server;
    private volatile PartitionIdentity identity; // written only by announce, which is synchronized
    private final Deadlines deadlines;
    private final ClientName clientName;
    private volatile @Nullable ClusterHome home; // null for a standalone instance
    private volatile boolean isToReplica;
    private final Predecessors predecessors = new Predecessors();
    private final Remembered remembered = new Remembered(Incarnation.randomIds(new SecureRandom()));
    private final Logins logins;
    private final PrimaryLookup lookup;
    private final Activations activations = new Activations();
    private final Set<RedisConnection> connections = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closed;

    private RedisConnector(
            RedisResources resources,
            ServerAccess access,
            PartitionIdentity identity,
            Deadlines deadlines,
            ClientName clientName) {
        this.resources = resources;
        this.server = access.uri();
        this.identity = identity;
        this.deadlines = deadlines;
        this.clientName = clientName;
        this.client = RedisClient.create(resources.lettuce());
        client.addListener(activations);
        resources.keepFor(this, ended);
        client.setOptions(LettuceOptions.of(deadlines.connect().multipliedBy(ConnectAttempt.LONGEST), access.tls()));
        this.logins = new Logins(
                server.password() == null ? access.credentials() : Optional.empty(),
                identity.partition().name(),
                server.url(),
                resources);
        this.lookup = new PrimaryLookup(
                client,
                activations,
                resources,
                server,
                new Logins(access.sentinels(), identity.partition().name(), server.url(), resources),
                deadlines.connect());
    }

    /** Creates a connector, which is not connected yet; throws {@code IllegalArgumentException} if the name is malformed. */
    public static RedisConnector create(
            RedisResources resources,
            ServerAccess access,
            PartitionIdentity identity,
            Deadlines deadlines,
            String clientName) {
        return new RedisConnector(resources, access, identity, deadlines, new ClientName(clientName));
    }

    private record Found(PartitionUri server, Optional<Credentials> login, Remembered remembered) {}

    /** Makes this a connector to a node of a cluster, unless that is null. Must be called before the first connect. */
    public RedisConnector to(@Nullable ClusterHome cluster) {
        home = cluster;
        return this;
    }

    /** Makes this a connector to a replica, which is only read. Must be called before the first connect. */
    public RedisConnector toReplica() {
        isToReplica = true;
        return this;
    }

    @Override
    public String address() {
        return server.url();
    }

    @Override
    public Duration patience() {
        Duration whole = deadlines.connect();
        return whole.compareTo(LONGEST_PATIENCE) < 0 ? whole : LONGEST_PATIENCE;
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        return attempt(
                (lettuce, found) -> {
                    PartitionIdentity now = identity;
                    return handshake(lettuce, found, now)
                            .shake()
                            .thenCompose(result -> open(lettuce, result, found))
                            .thenApply(opened -> {
                                found.login().ifPresent(used -> logins.keep(opened, used));
                                return opened;
                            });
                },
                PartitionConnection::close);
    }

    /** Closes a connection whose server has another address; the former server may continue as a primary. */
    private void compareLater(RedisConnection opened, Supplier<CompletableFuture<Optional<String>>> look) {
        long longest = server.sentinels() == null ? LOOK_AT_NAME_MILLIS : LOOK_AT_SENTINELS_MILLIS;
        ScheduledFuture<?> unused = resources.schedule(
                () -> {
                    if (!closed && !opened.lost().isDone()) {
                        Futures.whenOver(look.get(), (why, failure) -> {
                            if (why != null && why.isPresent()) {
                                opened.closeBecause(why.get());
                            } else if (!closed) {
                                compareLater(opened, look);
                            }
                        });
                    }
                },
                longest - ThreadLocalRandom.current().nextLong(longest / 5));
    }

    /** Returns a reason if a majority of the sentinels names another server, or the host name leads to another one. */
    private CompletableFuture<Optional<String>> elsewhere(
            PartitionUri place, SocketAddress peer, EventLoop eventLoop, ServerInfo known) {
        if (server.sentinels() != null) {
            return lookup.elected()
                    .thenApply(elected -> elected.map(PartitionUri::url)
                            .filter(address -> !address.equals(place.url()))
                            .map("the sentinels have elected %s"::formatted));
        }
        return resources
                .resolve(InetSocketAddress.createUnresolved(server.host(), server.port()), eventLoop)
                .thenCompose(addresses -> addresses.contains(peer)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        // A server may have several addresses. One that hides its ids is never recognized.
                        : once((lettuce, found) ->
                                        handshake(lettuce, found, identity).serverRun())
                                .handle((serverRun, failure) -> known.isNameless()
                                                || !known.serverRun().equals(serverRun)
                                        ? Optional.of("the name of the host leads to another server: " + addresses)
                                        : Optional.empty()));
    }

    /** Runs a task on a new connection, which is closed afterwards. */
    @SuppressWarnings("FutureReturnValueIgnored") // Closing a channel can fail, but not leave it open.
    private <T> CompletableFuture<T> once(
            BiFunction<StatefulRedisConnection<byte[], byte[]>, Found, CompletableFuture<T>> task) {
        return attempt(
                (lettuce, found) -> task.apply(lettuce, found).whenComplete((done, failure) -> {
                    if (failure == null) {
                        lettuce.closeAsync();
                    }
                }),
                answer -> {});
    }

    @Override
    public <T> CompletableFuture<T> ask(Function<RedisAsyncCommands<byte[], byte[]>, CompletableFuture<T>> question) {
        return once((lettuce, found) -> question.apply(lettuce.async()));
    }

    @Override
    public synchronized void announce(SlotMap newest) {
        if (newest.version() > identity.slotMap().version()) {
            identity = identity.by(newest);
        }
    }

    @Override
    public CompletableFuture<Void> look() {
        return once((lettuce, found) -> handshake(lettuce, found, identity).look());
    }

    @Override
    public CompletableFuture<Sign.Sighting> look(Sign sign) {
        return ask(redis -> Handshake.look(redis, address(), sign));
    }

    @Override
    public CompletableFuture<AcceptorAnswer> recall(String namespace) {
        return once((lettuce, found) -> handshake(lettuce, found, identity)
                .serverRun()
                .thenCompose(serverRun -> RedisRegister.recall(lettuce.async(), namespace, serverRun)));
    }

    /** Runs a task on a new connection, within the connect deadline, and disposes of a result that comes too late. */
    private <T> CompletableFuture<T> attempt(
            BiFunction<StatefulRedisConnection<byte[], byte[]>, Found, CompletableFuture<T>> work,
            Consumer<? super T> giveUp) {
        ConnectAttempt first = newAttempt();
        return attempt(first, work, giveUp)
                .exceptionallyCompose(failure -> first.wasSlowed() && !closed && isUnreachable(failure)
                        ? attempt(newAttempt(), work, giveUp)
                        : CompletableFuture.failedFuture(failure));
    }

    private ConnectAttempt newAttempt() {
        return new ConnectAttempt(
                address(), server.tls(), deadlines.connect(), resources.ticker().nanos());
    }

    private static boolean isUnreachable(Throwable failure) {
        return ConnectDiagnosis.find(failure, ConnectFailure.class)
                .filter(known -> known.kind() == ConnectFailure.Kind.UNREACHABLE)
                .isPresent();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The returned future reports everything.
    private <T> CompletableFuture<T> attempt(
            ConnectAttempt attempt,
            BiFunction<StatefulRedisConnection<byte[], byte[]>, Found, CompletableFuture<T>> work,
            Consumer<? super T> giveUp) {
        CompletableFuture<T> whole = new CompletableFuture<>();
        Remembered beforeAVote = remembered.beforeAVote();
        lookup.find()
                .thenCombine(
                        logins.ask(),
                        (place, login) ->
                                new Found(place.server(), login, place.isElected() ? beforeAVote : remembered))
                .thenCompose(found -> {
                    attempt.open(found.server().url());
                    return connectLettuce(found).thenCompose(lettuce -> {
                        attempt.answered();
                        CompletableFuture<T> worked =
                                activations.of(lettuce).thenCompose(active -> work.apply(lettuce, found));
                        return within(whole, lettuce, worked);
                    });
                })
                .whenComplete((result, failure) -> {
                    if (failure != null) {
                        whole.completeExceptionally(ConnectDiagnosis.of(attempt.address(), "connect", failure));
                    } else if (!whole.complete(result)) {
                        giveUp.accept(result);
                    }
                });
        limit(attempt, whole, nextTurn(attempt));
        return whole;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It ends with the attempt.
    private void limit(ConnectAttempt attempt, CompletableFuture<?> whole, CompletableFuture<?> turn) {
        resources.schedule(
                () -> {
                    boolean couldRead = turn.isDone();
                    if (attempt.isOver(resources.ticker().nanos(), couldRead)) {
                        whole.completeExceptionally(attempt.lateness());
                    } else if (!whole.isDone()) {
                        limit(attempt, whole, couldRead ? nextTurn(attempt) : turn);
                    }
                },
                Math.min(ConnectAttempt.TICK_MILLIS, deadlines.connect().toMillis()));
    }

    private CompletableFuture<?> nextTurn(ConnectAttempt attempt) {
        return attempt.isOpening() ? resources.eventLoops().turn() : CompletableFuture.completedFuture(true);
    }

    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connectLettuce(Found found) {
        if (closed) {
            return CompletableFuture.failedFuture(failure("the connector is closed"));
        }
        try {
            RedisURI uri = LettuceOptions.uri(
                    found.server(),
                    clientName.entering(),
                    deadlines.connect().multipliedBy(ConnectAttempt.LONGEST), // the attempt has its own limit
                    found.login().orElse(null));
            return client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
        } catch (RuntimeException e) {
            // Lettuce throws if its threads are shutting down.
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Closing a channel can fail, but not leave it open.
    private <T> CompletableFuture<T> within(
            CompletableFuture<T> whole,
            StatefulRedisConnection<byte[], byte[]> connection,
            CompletableFuture<T> handshake) {
        whole.whenComplete((known, late) -> handshake.completeExceptionally(failure("the attempt is over")));
        return handshake.whenComplete((done, failure) -> {
            if (failure != null) {
                connection.closeAsync();
            }
        });
    }

    private Handshake handshake(
            StatefulRedisConnection<byte[], byte[]> connection, Found found, PartitionIdentity now) {
        return new Handshake(
                new HandshakeCommands(connection.async(), found.server().url(), predecessors),
                now,
                found.remembered(),
                clientName.with(now.slotMap().version()),
                home,
                isToReplica);
    }

    private CompletableFuture<RedisConnection> open(
            StatefulRedisConnection<byte[], byte[]> connection, Handshake.Result result, Found found) {
        RouteVersionGuard.Opening opening = new RouteVersionGuard.Opening(result.mapVersion());
        connection.dispatch(opening);
        return opening.opened().thenCombine(activations.of(connection), (versionGuard, peer) -> {
            RedisConnection opened = register(connection, versionGuard, result);
            if (home == null && !isToReplica) {
                compareLater(opened, () -> elsewhere(found.server(), peer, versionGuard.eventLoop(), result.server()));
            }
            return opened;
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The set does not fail.
    private RedisConnection register(
            StatefulRedisConnection<byte[], byte[]> connection,
            RouteVersionGuard versionGuard,
            Handshake.Result result) {
        RedisConnection opened = new RedisConnection(
                connection,
                versionGuard,
                new Timeouts(
                        versionGuard.eventLoop(),
                        resources.ticker(),
                        deadlines.command().toNanos()),
                result,
                clientName,
                new HandshakeCommands(connection.async(), result.address(), predecessors),
                server,
                home,
                isToReplica);
        connections.add(opened);
        opened.lost().thenRun(() -> connections.remove(opened));
        if (closed) {
            opened.close();
        }
        return opened;
    }

    private ConnectFailure failure(String reason) {
        return ConnectFailure.at(address(), ConnectFailure.Kind.UNREACHABLE, reason, null);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Nothing waits for it; the rest ends with the resources.
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        lookup.close();
        Set<RedisConnection> open = Set.copyOf(connections);
        open.forEach(RedisConnection::close);
        CompletableFuture.allOf(open.stream().map(RedisConnection::released).toArray(CompletableFuture[]::new))
                .thenCompose(done -> client.shutdownAsync(0, SHUTDOWN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
                .whenComplete((done, failure) -> ended.complete(null));
    }

    @Override
    public String toString() {
        return address();
    }
}
