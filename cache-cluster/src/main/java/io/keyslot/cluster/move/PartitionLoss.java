// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Declares partitions lost for an operator: their data is given up, moves continue without them, and their slots start
 * empty at other partitions. For one thread.
 */
public record PartitionLoss(MapStore maps, Function<PartitionId, PartitionConnector> connectors, MoveTime time) {
    private static final int MOST_ATTEMPTS = 20;
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The map with the lost partition, and whether that has answered and so rejects clients with older maps. */
    public record Declared(PartitionMap map, boolean answers) {}

    /** Returns whether a partition answers in any way within a short time. */
    public boolean answers(PartitionId name) {
        try (PartitionConnector connector = connectors.apply(name)) {
            CompletableFuture<Boolean> answered = connector.look().handle((ok, failure) -> isAnAnswer(failure));
            return time.await(answered, ShutOut.LONGEST, () -> false);
        }
    }

    private static boolean isAnAnswer(@Nullable Throwable failure) {
        return failure == null
                || (failure instanceof ConnectFailure known && known.kind() != ConnectFailure.Kind.UNREACHABLE);
    }

    /**
     * Declares a partition lost, and notifies it if it still answers. Idempotent. {@code operation} is unique for each
     * call, at most 60 characters. Throws {@link InvalidMapException} if there is no such partition, or no other one is
     * active; after {@link MapStore.UnavailableException} the change may have been made, and the call may be repeated.
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
                    new MapCommit(operation + "-" + attempt, actor, "%s is lost".formatted(name), time.now()),
                    content -> content.lose(name));
            if (maps.compareAndSet(before, after) == MapStore.Stored.DONE) {
                return after;
            }
            time.waiter().pause(PAUSE);
        }
        throw new MapStore.UnavailableException("others change the map all the time, or the outcome is unknown");
    }
}
