// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The epoch by which one connection reads and writes, and how it ends: because somebody else has begun another one, or
 * because we do. Safe for use by several threads.
 */
final class Epoch {
    /** Entries of other epochs are common after a restart with data. They are no reason to ask more often than this. */
    static final long PAUSE_BETWEEN_DOUBTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Others write {@code keyslot:meta} in the moment of a failover or of a new epoch, and each of them once. */
    static final int MAX_ATTEMPTS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Epoch.class);

    private final String address;
    private final Handshake.Result handshake;
    private final CommandWriter writer;
    private final LongSupplier nanoTime;
    private final Predecessors predecessors;
    private final Consumer<String> close;
    private final AtomicLong nextDoubtNanos;

    /** @param close closes the connection for a reason */
    Epoch(
            String address,
            Handshake.Result handshake,
            CommandWriter writer,
            LongSupplier nanoTime,
            Predecessors predecessors,
            Consumer<String> close) {
        this.address = address;
        this.handshake = handshake;
        this.writer = writer;
        this.nanoTime = nanoTime;
        this.predecessors = predecessors;
        this.close = close;
        this.nextDoubtNanos = new AtomicLong(nanoTime.getAsLong());
    }

    int value() {
        return handshake.epoch();
    }

    /**
     * Called when an entry of another epoch was read: it may be a left-over, or newer than this connection. Closes the
     * connection if the partition has another epoch now. Asks at most once a second.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The reply says everything.
    void doubt() {
        long now = nanoTime.getAsLong();
        long next = nextDoubtNanos.get();
        if (now - next < 0 || !nextDoubtNanos.compareAndSet(next, now + PAUSE_BETWEEN_DOUBTS_NANOS)) {
            return;
        }
        readLives().thenAccept(this::judge);
    }

    private void judge(Reply<String> lives) {
        // A refusal, by access rules for example, is no proof of anything: it does not close what may be sound.
        if (lives instanceof Reply.Done<String> done
                && Lives.parse(done.value()).entered(runId()).newest().epoch() != value()) {
            close.accept("the partition's epoch has changed");
        }
    }

    /**
     * Begins the next epoch, which every client takes up with its next connection; drops the connections of all clients,
     * and closes this one.
     */
    CompletableFuture<Reply<Boolean>> renew() {
        return readLives()
                .thenCompose(reply -> Replies.then(reply, lives -> renew(lives, MAX_ATTEMPTS)))
                .thenCompose(reply -> Replies.then(reply, done -> dropOthers()))
                .thenApply(reply -> Replies.map(reply, done -> {
                    close.accept("a new epoch was begun");
                    return done;
                }));
    }

    private CompletableFuture<Reply<Boolean>> renew(String recorded, int attempts) {
        String renewed = Lives.parse(recorded).renewed(runId()).text();
        CommandArgs<byte[], byte[]> arguments = Requests.script(
                Script.SET_LIVES.text(), InstanceRecord.KEY, List.of(Requests.text(recorded), Requests.text(renewed)));
        return writer.write(writer.command(
                        CommandType.EVAL, Answers.value(), arguments, CommandWriter.ANY_MAP, Answers::text))
                .thenCompose(reply -> Replies.then(reply, present -> {
                    if (present.equals(renewed)) {
                        return CompletableFuture.completedFuture(Reply.done(true));
                    }
                    return attempts > 1
                            ? renew(present, attempts - 1)
                            : CompletableFuture.completedFuture(
                                    Reply.refused(Refusal.NOT_NOW, "others change keyslot:meta all the time"));
                }));
    }

    /** Without this, a client would go on with the old epoch until it reads an entry of the new one. */
    private CompletableFuture<Reply<Boolean>> dropOthers() {
        return listClients()
                .thenCompose(reply -> Replies.then(reply, this::drop))
                .thenApply(this::orToldAsForbidden);
    }

    private CompletableFuture<Reply<String>> listClients() {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add("LIST")
                .add("TYPE")
                .add("NORMAL");
        return writer.write(
                writer.command(CommandType.CLIENT, Answers.status(), arguments, CommandWriter.ANY_MAP, list -> list));
    }

    private CompletableFuture<Reply<Boolean>> drop(String clientList) {
        List<RoutedCommand<Long, Boolean>> kills = ClientList.othersBeside(handshake.clientId(), clientList).stream()
                .map(this::kill)
                .toList();
        writer.writeAll(kills);
        return Replies.all(kills.stream().map(RoutedCommand::reply).toList())
                .thenApply(Replies::ofRead)
                .thenApply(reply -> Replies.map(reply, killed -> true));
    }

    /** One that has gone meanwhile is as good as killed. */
    private RoutedCommand<Long, Boolean> kill(long clientId) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add("KILL").add("ID").add(clientId);
        return writer.command(CommandType.CLIENT, Answers.integer(), arguments, CommandWriter.ANY_MAP, count -> true);
    }

    private Reply<Boolean> orToldAsForbidden(Reply<Boolean> reply) {
        if (!(reply instanceof Reply.Refused<Boolean> refused) || refused.refusal() != Refusal.FORBIDDEN) {
            return reply;
        }
        if (predecessors.isFirstRefusalToDrop()) {
            LOG.warn(
                    "{}: this user may not use CLIENT LIST or CLIENT KILL. After what was stored had to be forgotten,"
                            + " other processes may serve it until they connect again or read something newer; allow"
                            + " client|list and client|kill to rule that out",
                    address);
        }
        return Reply.done(true);
    }

    private CompletableFuture<Reply<String>> readLives() {
        CommandArgs<byte[], byte[]> arguments = Requests.key(InstanceRecord.KEY).addValue(Requests.text(Lives.FIELD));
        return writer.write(
                writer.command(CommandType.HGET, Answers.value(), arguments, CommandWriter.ANY_MAP, Answers::text));
    }

    private String runId() {
        return handshake.server().runId();
    }
}
