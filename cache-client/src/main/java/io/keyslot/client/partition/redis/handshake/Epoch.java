// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RouteVersionGuard.Gated;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The epoch by which one connection reads and writes, and its end. Thread-safe.
 *
 * <p>While commands are sent, the connection checks once per second whether its {@link Incarnation} goes on. The check
 * precedes the commands on the same connection, so its reply comes before theirs. If it fails, their replies are
 * discarded. So a command that follows a silence is answered in the present incarnation or not at all.
 */
public final class Epoch {
    /** The longest time for which a change may go unnoticed while commands are sent. */
    static final long PAUSE_BETWEEN_LOOKS_NANOS = PartitionConnection.LONGEST_UNNOTICED.toNanos();

    private static final Logger LOG = LoggerFactory.getLogger(Epoch.class);

    private final Handshake.Result handshake;
    private final CommandWriter writer;
    private final LongSupplier nanoTime;
    private final Predecessors predecessors;
    private final Consumer<String> close;

    /** Confined to the event loop. */
    private long nextCheckNanos;

    public Epoch(
            Handshake.Result handshake,
            CommandWriter writer,
            LongSupplier nanoTime,
            Predecessors predecessors,
            Consumer<String> close) {
        this.handshake = handshake;
        this.writer = writer;
        this.nanoTime = nanoTime;
        this.predecessors = predecessors;
        this.close = close;
        this.nextCheckNanos = nanoTime.getAsLong() + PAUSE_BETWEEN_LOOKS_NANOS;
    }

    public int value() {
        return handshake.epoch();
    }

    public Optional<String> incarnation() {
        return handshake.incarnation().map(Incarnation::id);
    }

    public boolean setsManyWithExpiry() {
        return handshake.server().setsManyWithExpiry();
    }

    public String serverRun() {
        return handshake.server().serverRun();
    }

    public boolean isGuarded() {
        return handshake.isGuarded();
    }

    /** Returns whether the server sends invalidations in order with its replies: redis/redis#8935. */
    public boolean pushesInOrder() {
        return handshake.server().major() >= 7;
    }

    /** Adds the check, once per second. Called in the event loop, before a write. */
    public void checkBefore(List<Gated> commands) {
        long now = nanoTime.getAsLong();
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
            RoutedCommand<byte[], Boolean> record =
                    writer.bare(CommandType.HGET, RespAnswers.value(), recordKey(), Route.ANY, answer -> {
                        recorded = RespAnswers.text(answer);
                        return true;
                    });
            RoutedCommand<byte[], Boolean> version =
                    writer.bare(CommandType.HGET, RespAnswers.value(), minVersionKey(), Route.ANY, answer -> {
                        needed = InstanceRecord.minVersion(RespAnswers.text(answer));
                        return true;
                    });
            RoutedCommand<String, Boolean> server = info("server", answer -> {
                this.server = answer;
                return true;
            });
            RoutedCommand<String, Boolean> replication = info("replication", this::judge);
            if (handshake.server().isNameless()) {
                return List.of(writer.entered(version), writer.entered(recordOfNameless()));
            }
            return List.of(
                    writer.entered(record),
                    writer.entered(version),
                    writer.entered(server),
                    writer.entered(replication));
        }

        /** A server without ids is judged by the record alone, as soon as that is read. */
        private RoutedCommand<byte[], Boolean> recordOfNameless() {
            return writer.bare(CommandType.HGET, RespAnswers.value(), recordKey(), Route.ANY, answer -> {
                recorded = RespAnswers.text(answer);
                return follow(goesOn(handshake.server()));
            });
        }

        private RoutedCommand<String, Boolean> info(String section, Function<String, Boolean> answer) {
            return writer.command(
                    CommandType.INFO,
                    RespAnswers.status(),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE).add(section),
                    Route.ANY,
                    answer);
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
    public CompletableFuture<Reply<Boolean>> renew() {
        IntFunction<CompletableFuture<Reply<Boolean>>> endOfCluster = handshake.endOfClusterEpoch();
        return endOfCluster == null ? renewAlone() : endOfCluster.apply(value());
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
        byte[][] arguments = Requests.script(
                Script.SET_INCARNATION.text(),
                List.of(InstanceRecord.KEY),
                List.of(
                        Requests.text(incarnation.text()),
                        Requests.text(incarnation.ended().text())));
        return writer.write(writer.bare(CommandType.EVAL, RespAnswers.value(), arguments, Route.ANY, present -> true));
    }

    /** Otherwise other clients would use the old epoch until their next check. */
    private CompletableFuture<Reply<Boolean>> dropOthers() {
        return listClients().thenCompose(reply -> reply.then(this::drop)).thenApply(this::orToldAsForbidden);
    }

    private CompletableFuture<Reply<String>> listClients() {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE).add("LIST");
        return writer.write(
                writer.command(CommandType.CLIENT, RespAnswers.status(), arguments, Route.ANY, list -> list));
    }

    private CompletableFuture<Reply<Boolean>> drop(String clientList) {
        List<RoutedCommand<Long, Boolean>> kills =
                HandshakeCommands.othersBeside(handshake.clientId(), clientList).stream()
                        .map(this::kill)
                        .toList();
        writer.writeAll(kills);
        return Replies.all(kills.stream().map(RoutedCommand::reply).toList())
                .thenApply(Replies::ofRead)
                .thenApply(reply -> reply.map(killed -> true));
    }

    /** A connection that is closed already counts as killed. */
    private RoutedCommand<Long, Boolean> kill(long clientId) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add("KILL").add("ID").add(clientId);
        return writer.command(CommandType.CLIENT, RespAnswers.integer(), arguments, Route.ANY, count -> true);
    }

    private Reply<Boolean> orToldAsForbidden(Reply<Boolean> reply) {
        if (!reply.isRefused(Refusal.FORBIDDEN)) {
            return reply;
        }
        predecessors.warnThatDropIsForbidden(LOG, handshake.address());
        return Reply.done(true);
    }

    private byte[][] minVersionKey() {
        String field = InstanceRecord.minVersionField(handshake.fences().namespace());
        return Requests.key(InstanceRecord.KEY, Requests.text(field));
    }

    private static byte[][] recordKey() {
        return Requests.key(InstanceRecord.KEY, Requests.text(Incarnation.FIELD));
    }
}
