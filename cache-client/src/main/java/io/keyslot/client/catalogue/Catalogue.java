// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where the map is agreed on: it has one newest map at any time, and each follows from the one before. Safe for use by several
 * threads, and by any number of processes.
 *
 * <p>No method throws or blocks. Every future is completed within a bounded time, and never exceptionally.
 *
 * <p>Traffic does not depend on it: a client that cannot reach it goes on by the map that it has.
 */
public interface Catalogue extends AutoCloseable {
    /** Of more changes the history has the last ones. */
    int MOST_CHANGES = 64;

    /**
     * Returns the newest map: none that was agreed on before this call is missed, and what an earlier attempt has left open is
     * decided by then: it is in this map, or never will be. For who changes maps; others ask for a {@link #copy}. {@code Ok} or
     * {@code Unavailable}.
     */
    CompletableFuture<CatalogueAnswer> read();

    /**
     * As {@link #read}, but what an earlier attempt has left open may be decided later still: for who shows maps. Whoever changes
     * them is not held up.
     */
    default CompletableFuture<CatalogueAnswer> look() {
        return read();
    }

    /**
     * Returns which map is the newest, as far as one place knows that is cheap to ask; empty if it does not answer. It may
     * be behind, and is never ahead.
     */
    CompletableFuture<Optional<MapStamp>> peek();

    /** As {@link #peek}, if there is something that costs next to nothing, so that it can be asked often: a hint. Else empty. */
    default CompletableFuture<Optional<MapStamp>> glance() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Returns a map that was agreed on, as new as any that can be seen at once; empty if there is none to be seen. */
    CompletableFuture<Optional<PartitionMap>> copy();

    /**
     * Makes this map the newest, if the newest is the one that it was made from. Its commit has the id of the change, which no
     * other change has. For the first attempt only: {@link #repeat} is for what may have been attempted before.
     */
    CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next);

    /** A map that is ready to be made the newest. */
    @FunctionalInterface
    interface Prepared {
        /** As {@link Catalogue#compareAndSet}, of the map that was prepared; once. */
        CompletableFuture<CatalogueAnswer> store();
    }

    /**
     * Does all of {@link #compareAndSet} that can be done before the map is sent to anybody, for those who wait when it is. It may be
     * left at that, and then nothing has happened.
     */
    default CompletableFuture<Prepared> prepare(PartitionMap next) {
        return CompletableFuture.completedFuture(() -> compareAndSet(next));
    }

    /**
     * As {@link #compareAndSet}, of a change that was attempted before, by this process or another: it is made once. When this
     * answers with no, no earlier attempt succeeds any more.
     */
    CompletableFuture<CatalogueAnswer> repeat(PartitionMap next);

    /**
     * Returns the last changes, the oldest first, {@link #MOST_CHANGES} at most; fewer where no more is kept, and none if nobody
     * answers.
     */
    default CompletableFuture<List<MapChange>> history() {
        return copy().thenApply(copy -> copy
                .map(map -> new MapChange(map.version(), map.commit().operation()))
                .stream()
                .toList());
    }

    /** Gives up what it holds. Does nothing the second time. */
    @Override
    void close();
}
