// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.Credentials;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.RouteVersionGuard.Gated;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection to one incarnation of a server, after the handshake. It never reconnects. */
final class RedisConnection implements PartitionConnection {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final CallerDriven loop;
    private final CommandWriter writer;
    private final Epoch epoch;
    private final Pushes pushes;
    private final InternalKeys fences;
    private final ClientName clientName;
    private final PushListeners listeners = new PushListeners();
    private final Runnable whenPending;
    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();
    private final CompletableFuture<String> lost;
    private final RedisOperations withoutSlot;
    private volatile @Nullable RedisOperations operations;
    private volatile @Nullable RedisOperations fenced;
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    RedisConnection(
            StatefulRedisConnection<byte[], byte[]> connection,
            RouteVersionGuard versionGuard,
            Timeouts timeouts,
            Handshake.Result handshake,
            ClientName clientName,
            HandshakeCommands commands,
            PartitionUri server,
            @Nullable ClusterHome home,
            boolean isToReplica) {
        this.connection = connection;
        this.loop = CallerDriven.of(versionGuard.eventLoop());
        this.fences = handshake.fences();
        this.writer = new CommandWriter(
                new WriteQueue(versionGuard, this::checkBefore),
                timeouts,
                loop,
                fences,
                this::closeBecause,
                redirects(server, home, isToReplica));
        this.epoch = new Epoch(handshake, home, writer, timeouts.ticker(), commands, this::closeBecause);
        this.pushes = new Pushes(writer, epoch::pushesInOrder, listeners);
        this.withoutSlot = new RedisOperations(writer, epoch, pushes, fences, Route.ANY);
        this.clientName = clientName;
        this.whenPending = () -> commands.predecessors()
                .add(handshake.clientId(), handshake.server().runId());
        connection.addListener(pushes);
        this.lost = versionGuard.lost().thenApply(closed -> afterLoss());
        if (home != null && !isToReplica) {
            // Until it is lost, the connection of a cluster is a target of redirected commands.
            ClusterLinks links = home.links();
            links.opened(server.host(), server.port(), writer, this::supersede);
            Futures.whenOver(lost, (why, failure) -> links.lost(writer));
        }
    }

    private Redirection.@Nullable Handler redirects(
            PartitionUri server, @Nullable ClusterHome home, boolean isToReplica) {
        if (home == null) {
            return null;
        }
        return isToReplica
                ? home.links().fromReplica()
                : home.links().from(server.host(), server.port(), this::closeBecause);
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
        if (patience.waiter() != null) {
            return loop.exchange(() -> send(command, route), patience);
        }
        return patience.isAhead() ? loop.sendAhead(() -> send(command, route)) : send(command, route);
    }

    private <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route) {
        return reason.get() != null
                ? CompletableFuture.completedFuture(Reply.refused(Refusal.UNAVAILABLE, "the connection is closed"))
                : operations(route).execute(command);
    }

    private void checkBefore(List<Gated> commands) {
        epoch.checkBefore(commands);
    }

    /** Rarely replaced: only with a new slot map or epoch. Two threads may create equal ones. */
    private RedisOperations operations(Route route) {
        RedisOperations known = route.isFenced() ? fenced : operations;
        if (known != null && known.route.equals(route)) {
            return known;
        }
        if (route.equals(Route.ANY)) {
            return withoutSlot; // not kept in place of the one of the slot map
        }
        known = new RedisOperations(writer, epoch, pushes, fences, route);
        if (route.isFenced()) {
            fenced = known;
        } else {
            operations = known;
        }
        return known;
    }

    /** Announces a newer slot map in the client list; commands with an older route are refused from now on. */
    @Override
    public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
        return writer.announce(mapVersion, clientName.with(mapVersion));
    }

    /** Authenticates again, between two commands. If the server refuses, the connection stays as it was. */
    CompletionStage<String> logIn(Credentials credentials) {
        String username = credentials.username();
        return username == null
                ? connection.async().auth(credentials.password())
                : connection.async().auth(username, credentials.password());
    }

    /**
     * Returns the epoch of the connection's {@link Incarnation}. It changes when a server restarts with an old file, a
     * replica is promoted, or an old primary returns. Everything written in another epoch is a miss.
     */
    @Override
    public int epoch() {
        return epoch.value();
    }

    private void supersede(String why) {
        writer.supersede();
        closeBecause(why);
    }

    @Override
    public void listen(PushListener listener) {
        listeners.add(listener);
    }

    @Override
    public CompletableFuture<String> lost() {
        return lost.copy();
    }

    @Override
    public void close() {
        closeBecause("closed by this client");
    }

    /** Returns a future that completes when the connection holds no resources of this process any more. */
    CompletableFuture<Void> released() {
        return released;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Closing a channel can fail, but not leave it open.
    void closeBecause(String why) {
        if (!reason.compareAndSet(null, why)) {
            return;
        }
        writer.close();
        // Before another thread can see that the connection is closed, and open the next one.
        if (writer.hasPendingAnswers()) {
            whenPending.run();
        }
        connection.closeAsync().whenComplete((done, failure) -> released.complete(null));
    }

    private String afterLoss() {
        String byOthers = "the server closed the connection, or the network did";
        closeBecause(byOthers);
        listeners.end("the connection is lost");
        return Objects.requireNonNullElse(reason.get(), byOthers);
    }

    /** The name in {@code CLIENT LIST}: {@code keyslot:<client>:<map version>}, with a dash during the handshake. */
    record ClientName(String client) {
        private static final Pattern ALLOWED = Pattern.compile("[!-~]{1,64}");

        ClientName {
            if (!ALLOWED.matcher(client).matches()) {
                throw new IllegalArgumentException(
                        "Client name '%s': must be 1 to 64 printable ASCII characters without spaces"
                                .formatted(client));
            }
        }

        String entering() {
            return "keyslot:" + client + ":-";
        }

        String with(long mapVersion) {
            return "keyslot:" + client + ":" + mapVersion;
        }
    }
}
