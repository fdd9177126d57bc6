// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.Sign;
import io.keyslot.cluster.copy.Asked;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends commands over connections that are made on demand. Never marks an instance as ours. For one thread. */
public final class Instances implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int MOST_ATTEMPTS = 50;

    private final Cluster cluster;
    private final MoveTime time;
    private final Map<PartitionId, PartitionConnection> connections = new HashMap<>();

    public Instances(Cluster cluster) {
        this.cluster = cluster;
        this.time = cluster.time();
    }

    private record Attempt(@Nullable PartitionConnection made, String why) {}

    private record Seen(Sign.@Nullable Sighting sighting, String why) {}

    /** Returns why a partition would not accept us, or empty if it would. Changes nothing. */
    Optional<String> objection(MappedPartition partition, Adoption adoption) {
        try (PartitionConnector connector = cluster.connector(partition, adoption)) {
            return await(
                    connector
                            .look()
                            .handle((done, failure) ->
                                    failure == null ? Optional.empty() : Optional.of(reason(failure))),
                    () -> Optional.of("no answer in time"));
        }
    }

    /** Performs a step with a sign and reads it, whatever application uses the instance. */
    Sign.Sighting look(MappedPartition partition, Sign sign) {
        try (PartitionConnector connector = cluster.connector(partition, Adoption.NEVER)) {
            Seen seen = await(
                    connector
                            .look(sign)
                            .handle((sighting, failure) ->
                                    failure == null ? new Seen(sighting, "") : new Seen(null, reason(failure))),
                    () -> new Seen(null, "no answer in time"));
            Sign.Sighting sighting = seen.sighting();
            if (sighting == null) {
                throw new SilentException(partition.name() + ": " + seen.why());
            }
            return sighting;
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ConnectFailure known ? known.reason() : String.valueOf(cause.getMessage());
    }

    Asked at(MappedPartition partition) {
        return new Asked() {
            @Override
            public <R> R ask(Command<R> command) {
                return Instances.this.ask(partition, command);
            }
        };
    }

    /** Returns the answer, with retries where they may help; throws {@link SilentException} without one. */
    public <R> R ask(MappedPartition partition, Command<R> command) {
        Reply<R> reply = send(partition, command);
        for (int attempt = 1; isWorthAnotherAttempt(reply) && attempt < MOST_ATTEMPTS; attempt++) {
            time.waiter().pause(PAUSE);
            reply = send(partition, command);
        }
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        String why = reply instanceof Reply.Refused<R> refused ? refused.detail() : "no answer to " + command.name();
        throw new SilentException(partition.name() + ": " + why);
    }

    private static boolean isWorthAnotherAttempt(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal().isWorthAnotherAttempt();
    }

    private <R> Reply<R> send(MappedPartition partition, Command<R> command) {
        PartitionConnection connection = connection(partition);
        return await(
                connection.send(command, Route.ANY, Patience.UNLIMITED),
                () -> Reply.refused(Refusal.UNAVAILABLE, "no answer in time"));
    }

    private PartitionConnection connection(MappedPartition partition) {
        PartitionConnection known = connections.get(partition.name());
        if (known != null && !known.lost().isDone()) {
            return known;
        }
        PartitionConnector connector = cluster.connector(partition, Adoption.NEVER);
        Attempt attempt = await(
                connector
                        .connect()
                        .handle((made, failure) ->
                                failure == null ? new Attempt(made, "") : new Attempt(null, reason(failure))),
                () -> new Attempt(null, "no answer in time"));
        PartitionConnection made = attempt.made();
        if (made == null) {
            connector.close();
            throw new SilentException(partition.name() + ": " + attempt.why());
        }
        connections.put(partition.name(), made);
        return made;
    }

    private <T> T await(CompletableFuture<T> answer, Supplier<T> onTimeout) {
        return time.waiter().await(answer, Deadline.after(time.ticker(), LONGEST), onTimeout);
    }

    @Override
    public void close() {
        connections.values().forEach(PartitionConnection::close);
    }
}
