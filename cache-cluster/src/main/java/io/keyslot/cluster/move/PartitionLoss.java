// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An operator declares that a partition is gone for good. Whatever it had is given up by that, and moves go on without it; what it
 * owns is brought elsewhere by moves, and begins with nothing there. For one thread.
 */
public final class PartitionLoss {
    private static final int MOST_ATTEMPTS = 20;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final MapStore maps;
    private final Function<PartitionId, PartitionConnector> connectors;
    private final MoveTime time;

    /** @param connectors gives a new connector to a partition */
    public PartitionLoss(MapStore maps, Function<PartitionId, PartitionConnector> connectors, MoveTime time) {
        this.maps = maps;
        this.connectors = connectors;
        this.time = time;
    }

    /**
     * What was declared.
     *
     * @param map that says so
     * @param answers whether the partition has answered, and was told: it is not dead, and keeps clients out that do not know
     */
    public record Declared(PartitionMap map, boolean answers) {}

    /** Returns whether a partition answers, in whatever way, within a moment. */
    public boolean answers(PartitionId name) {
        try (PartitionConnector connector = connectors.apply(name)) {
            CompletableFuture<Boolean> answered = new CompletableFuture<>();
            CompletableFuture<Void> unused =
                    connector.look().whenComplete((ok, failure) -> answered.complete(isAnAnswer(failure)));
            return time.waiter().await(answered, Deadline.after(time.ticker(), ShutOut.LONGEST), () -> false);
        }
    }

    private static boolean isAnAnswer(@Nullable Throwable failure) {
        return failure == null
                || (failure instanceof ConnectFailure known && known.kind() != ConnectFailure.Kind.UNREACHABLE);
    }

    /**
     * Declares a partition lost, and tells it, if it answers after all. Does nothing more if it was declared lost before.
     *
     * @param operation unique for each call, of 60 characters at most
     * @param actor who it is, for people
     * @throws InvalidMapException if it cannot be: there is no such partition, or no other one is active
     * @throws MapStore.UnavailableException if the map cannot be read, or others change it all the time; perhaps it says so all
     *     the same, and the call may be repeated
     */
    public Declared declare(PartitionId name, String operation, String actor) throws MapStore.UnavailableException {
        PartitionMap map = declared(name, operation, actor);
        try (PartitionConnector connector = connectors.apply(name)) {
            return new Declared(map, new ShutOut(map, time).isPublished(connector));
        }
    }

    private PartitionMap declared(PartitionId name, String operation, String actor)
            throws MapStore.UnavailableException {
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            PartitionMap before = maps.read();
            MappedPartition partition = before.partition(name)
                    .orElseThrow(() -> new InvalidMapException(List.of("there is no partition %s".formatted(name))));
            if (partition.isLost()) {
                return before;
            }
            PartitionMap after = before.next(
                    new MapCommit(
                            operation + "-" + attempt,
                            actor,
                            "%s is lost".formatted(name),
                            Instant.ofEpochMilli(time.ticker().epochMillis())),
                    content -> content.lose(name));
            if (maps.compareAndSet(before, after) == MapStore.Stored.DONE) {
                return after;
            }
            time.waiter().pause(PAUSE);
        }
        throw new MapStore.UnavailableException("others change the map all the time, or nobody knows whether it was");
    }
}
