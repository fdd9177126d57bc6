// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.RouteVersionGuard.Gated;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The epoch by which one connection reads and writes, and its end. Thread-safe.
 *
 * <p>While commands are sent, the connection checks once per second whether its {@link Incarnation} goes on. The check
 * precedes the commands on the same connection, so its reply comes before theirs. If it fails, their replies are
 * discarded. So a command that follows a silence is answered in the present incarnation or not at all.
 */
final class Epoch {
    /** The longest time for which a change may go unnoticed while commands are sent. */
    static final long PAUSE_BETWEEN_LOOKS_NANOS = PartitionConnection.LONGEST_UNNOTICED.toNanos();

    private final int value;
    private final Handshake.Result handshake;
    private final @Nullable ClusterHome home; // null for an instance
    private final CommandWriter writer;
    private final Ticker ticker;
    private final HandshakeCommands commands;
    private final RedisSession session;
    private final Consumer<String> close;

    /** Confined to the event loop. */
    private long nextCheckNanos;

    Epoch(
            Handshake.Result handshake,
            @Nullable ClusterHome home,
            CommandWriter writer,
            Ticker ticker,
            HandshakeCommands commands,
            Consumer<String> close) {
        this.value = handshake.epoch();
        this.handshake = handshake;
        this.home = home;
        this.writer = writer;
        this.ticker = ticker;
        this.commands = commands;
        this.session = new RedisSession(writer, Route.ANY, handshake.epoch(), handshake.isGuarded());
        this.close = close;
        this.nextCheckNanos = ticker.nanos() + PAUSE_BETWEEN_LOOKS_NANOS;
    }

    int value() {
        return value;
    }

    Optional<String> incarnation() {
        return handshake.incarnation().map(Incarnation::id);
    }

    ServerInfo server() {
        return handshake.server();
    }

    String serverRun() {
        return handshake.server().serverRun();
    }

    boolean isGuarded() {
        return handshake.isGuarded();
    }

    /** Returns whether the server sends invalidations in order with its replies: redis/redis#8935. */
    boolean pushesInOrder() {
        return isAtLeast(7);
    }

    boolean isAtLeast(int major) {
        return handshake.server().major() >= major;
    }

    /** Adds the check, once per second. Called in the event loop, before a write. */
    void checkBefore(List<Gated> commands) {
        long now = ticker.nanos();
        if (now - nextCheckNanos >= 0) {
            nextCheckNanos = now + PAUSE_BETWEEN_LOOKS_NANOS;
            handshake.incarnation().ifPresent(incarnation -> commands.addAll(new Look(incarnation).commands()));
        }
    }

    /** The commands of one check. Replies are judged even after a timeout, as later commands may still wait. */
    private final class Look {
        private final Incarnation incarnation;
        private long needed;
        private @Nullable String recorded;
        private String server = "";

        Look(Incarnation incarnation) {
            this.incarnation = incarnation;
        }

        List<Gated> commands() {
            RoutedCommand<byte[], Boolean> version =
                    field(InstanceRecord.minVersionField(handshake.fences().namespace()), answer -> {
                        needed = InstanceRecord.minVersion(answer);
                        return true;
                    });
            if (handshake.server().isNameless()) {
                // A server without ids is judged by the record alone, as soon as that is read.
                return entered(version, field(Incarnation.FIELD, answer -> {
                    recorded = answer;
                    return follow(goesOn(handshake.server()));
                }));
            }
            RoutedCommand<byte[], Boolean> record = field(Incarnation.FIELD, answer -> {
                recorded = answer;
                return true;
            });
            RoutedCommand<byte[], Boolean> info = info("server", answer -> {
                server = answer;
                return true;
            });
            return entered(record, version, info, info("replication", this::judge));
        }

        private List<Gated> entered(RoutedCommand<?, ?>... commands) {
            return Stream.of(commands).<Gated>map(writer::entered).toList();
        }

        private RoutedCommand<byte[], Boolean> field(String name, Function<String, Boolean> decoder) {
            return session.command(
                    CommandType.HGET,
                    Resp.value(),
                    answer -> decoder.apply(Resp.text(answer)),
                    InstanceRecord.KEY,
                    name);
        }

        private RoutedCommand<byte[], Boolean> info(String section, Function<String, Boolean> decoder) {
            return session.command(CommandType.INFO, Resp.value(), answer -> decoder.apply(Resp.text(answer)), section);
        }

        private boolean judge(String replication) {
            return follow(
                    ServerInfo.parse(server, replication).map(this::goesOn).orElse(true));
        }

        private boolean follow(boolean goesOn) {
            if (!goesOn) {
                writer.supersede();
                close.accept("the partition's epoch has changed");
            } else if (needed > Math.max(handshake.mapVersion(), writer.announced())) {
                close.accept("the slot map has version %d there, which this client does not know".formatted(needed));
            }
            return goesOn;
        }

        /** A missing reply proves nothing; the server may be loading. */
        private boolean goesOn(ServerInfo server) {
            Optional<Incarnation> found = recorded == null ? Optional.of(incarnation) : Incarnation.parse(recorded);
            return incarnation.goesOn(found, server);
        }
    }

    /** Ends this epoch; every client begins or joins the next one when it connects again. Drops all connections. */
    CompletableFuture<Reply<Boolean>> renew() {
        return home == null ? renewAlone() : home.end(value());
    }

    private CompletableFuture<Reply<Boolean>> renewAlone() {
        return handshake
                .incarnation()
                .map(this::end)
                .orElseGet(() -> CompletableFuture.completedFuture(Reply.done(true)))
                .thenCompose(reply -> reply.then(done -> dropOthers()))
                .thenApply(reply -> reply.map(done -> {
                    close.accept("the epoch was ended");
                    return done;
                }));
    }

    /** If the record has changed already, the incarnation is over and cannot come back. */
    private CompletableFuture<Reply<Boolean>> end(Incarnation incarnation) {
        byte[][] arguments = ScriptCall.of(
                        Script.SET_INCARNATION,
                        InstanceRecord.KEY,
                        incarnation.text(),
                        incarnation.ended().text())
                .words(Script.SET_INCARNATION.text());
        return writer.write(writer.bare(CommandType.EVAL, Resp.value(), arguments, Route.ANY, present -> true));
    }

    /** Otherwise other clients would use the old epoch until their next check. */
    private CompletableFuture<Reply<Boolean>> dropOthers() {
        return writer.write(session.command(CommandType.CLIENT, Resp.value(), Resp::text, "LIST"))
                .thenCompose(reply -> reply.then(
                        list -> session.sum(HandshakeCommands.othersBeside(handshake.clientId(), list).stream()
                                .map(this::kill)
                                .toList())))
                .thenApply(reply -> orToldAsForbidden(reply.map(killed -> true)));
    }

    /** A connection that is closed already counts as killed. */
    private RoutedCommand<Long, Long> kill(long clientId) {
        return session.command(CommandType.CLIENT, Resp.integer(), Function.identity(), "KILL", "ID", clientId);
    }

    private Reply<Boolean> orToldAsForbidden(Reply<Boolean> reply) {
        if (!reply.isRefused(Refusal.FORBIDDEN)) {
            return reply;
        }
        commands.warnThatDropIsForbidden();
        return Reply.done(true);
    }
}
