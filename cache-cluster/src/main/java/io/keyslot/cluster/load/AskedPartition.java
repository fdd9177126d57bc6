// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.cluster.copy.MoveTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A partition that is asked about its load, over a connection of its own. For one thread. */
final class AskedPartition implements AutoCloseable {
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(10);

    /** How often a server that cannot answer now, or does not know a script yet, is asked. */
    private static final int MOST_ATTEMPTS = 100;

    private final PartitionConnection connection;
    private final MoveTime time;

    private AskedPartition(PartitionConnection connection, MoveTime time) {
        this.connection = connection;
        this.time = time;
    }

    /** Why something is not known: for people. */
    static final class UnknownException extends Exception {
        private static final long serialVersionUID = 1;

        UnknownException(String message) {
            super(message);
        }
    }

    /** Connects. */
    static AskedPartition open(PartitionConnector connector, MoveTime time) throws UnknownException {
        CompletableFuture<Optional<PartitionConnection>> connected = new CompletableFuture<>();
        CompletableFuture<String> why = new CompletableFuture<>();
        CompletableFuture<PartitionConnection> unused = connector.connect().whenComplete((made, failure) -> {
            why.complete(failure == null ? "" : reason(failure));
            if (!connected.complete(Optional.ofNullable(made)) && made != null) {
                made.close();
            }
        });
        PartitionConnection connection = time.waiter()
                .await(connected, Deadline.after(time.ticker(), LONGEST_CONNECT), Optional::empty)
                .orElseThrow(() -> {
                    boolean unusedToo = connected.complete(Optional.empty());
                    return new UnknownException(why.getNow("no answer in time"));
                });
        return new AskedPartition(connection, time);
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ConnectFailure known ? known.reason() : String.valueOf(cause.getMessage());
    }

    /** Returns the answer, after some attempts if another one may help. */
    <R> R ask(Command<R> command) throws UnknownException {
        Reply<R> reply = send(command);
        for (int attempts = 1; isWorthAnotherAttempt(reply) && attempts < MOST_ATTEMPTS; attempts++) {
            time.waiter().pause(PAUSE);
            reply = send(command);
        }
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new UnknownException(
                reply instanceof Reply.Refused<R> refused ? refused.detail() : "no answer to " + command.name());
    }

    private <R> Reply<R> send(Command<R> command) {
        return time.waiter()
                .await(
                        connection.send(command, Route.ANY, Patience.UNLIMITED),
                        Deadline.after(time.ticker(), LONGEST_ANSWER),
                        () -> Reply.<R>unknown("no answer in time", null));
    }

    private static boolean isWorthAnotherAttempt(Reply<?> reply) {
        return !Thread.currentThread().isInterrupted()
                && reply instanceof Reply.Refused<?> refused
                && refused.refusal().isWorthAnotherAttempt();
    }

    @Override
    public void close() {
        connection.close();
    }
}
