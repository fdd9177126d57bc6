// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The source or target of a move: one connection at a time, to one incarnation. Work that was begun in one incarnation
 * is not continued in the next. For one thread, except for {@link #send}.
 */
final class Side implements Asked, AutoCloseable {
    /** The time limit of an answer, in addition to that of the connection. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(10);

    /** The most attempts at a server that cannot serve now or has lost a script. */
    private static final int MOST_ATTEMPTS = 100;

    private final String name;
    private final PartitionConnector connector;
    private final MoveTime time;
    private volatile @Nullable PartitionConnection connection;
    private @Nullable PartitionMap newest;

    public Side(String name, PartitionConnector connector, MoveTime time) {
        this.name = name;
        this.connector = connector;
        this.time = time;
    }

    /** Connects unless connected, in whatever incarnation. */
    public void open() {
        PartitionConnection known = connection;
        if (known != null && !known.lost().isDone()) {
            return;
        }
        close();
        PartitionMap map = newest;
        if (map != null) {
            connector.announce(map.slotMap());
        }
        Reply<PartitionConnection> connected = await(Answers.reply(connector.connect()));
        if (!(connected instanceof Reply.Done<PartitionConnection> done)) {
            throw lost("it cannot be connected");
        }
        connection = done.value();
    }

    /** Sets the newest map; new connections enter with it. */
    public void know(PartitionMap map) {
        if (newest == null || map.version() > newest.version()) {
            newest = map;
        }
    }

    /** Shows on the connection that it knows the newest map, as connections of clients do. */
    public void show() {
        PartitionConnection known = connection;
        PartitionMap map = newest;
        if (known != null && map != null) {
            connector.announce(map.slotMap());
            Reply<Boolean> unused = await(known.announce(map.version()));
        }
    }

    @Override
    public <R> R ask(Command<R> command) {
        Reply<R> reply = answered(command);
        for (int attempts = 1; isWorthAnotherAttempt(reply) && attempts < MOST_ATTEMPTS; attempts++) {
            time.pause(PAUSE);
            reply = answered(command);
        }
        return answer(command, reply);
    }

    /** Waits on this thread, so that no other thread has to run to deliver the answer. */
    private <R> Reply<R> answered(Command<R> command) {
        return await(send(command, new Patience(Deadline.after(time.ticker(), LONGEST_ANSWER), time.waiter())));
    }

    private static boolean isWorthAnotherAttempt(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal().isWorthAnotherAttempt();
    }

    public <R> CompletableFuture<Reply<R>> send(Command<R> command) {
        return send(command, Patience.UNLIMITED);
    }

    private <R> CompletableFuture<Reply<R>> send(Command<R> command, Patience patience) {
        PartitionConnection known = connection;
        return known == null
                ? CompletableFuture.completedFuture(Reply.refused(Refusal.UNAVAILABLE, "not connected"))
                : known.send(command, Route.ANY, patience);
    }

    /** Returns the answer to a sent command, or sends it again if that may help. */
    public <R> R take(Command<R> command, CompletableFuture<Reply<R>> sent) {
        Reply<R> reply = await(sent);
        return isWorthAnotherAttempt(reply) ? ask(command) : answer(command, reply);
    }

    private <R> Reply<R> await(CompletableFuture<Reply<R>> reply) {
        return time.await(reply, LONGEST_ANSWER, () -> Reply.unknown("no answer in time", null));
    }

    private <R> R answer(Command<R> command, Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        if (reply instanceof Reply.Refused<R> refused
                && (refused.refusal() == Refusal.FORBIDDEN || refused.refusal() == Refusal.NOT_WRITABLE)) {
            throw new MoveTrouble(
                    MoveTrouble.Kind.REFUSED, "%s refused %s: %s".formatted(name, command.name(), refused.detail()));
        }
        throw lost(reply instanceof Reply.Refused<R> refused ? refused.detail() : "no answer to " + command.name());
    }

    private MoveTrouble lost(String why) {
        return MoveTrouble.lost(name + ": " + why);
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public void close() {
        PartitionConnection known = connection;
        connection = null;
        if (known != null) {
            known.close();
        }
    }
}
