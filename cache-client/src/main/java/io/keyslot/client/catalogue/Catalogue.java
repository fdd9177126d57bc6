// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.RegisterChange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of the authoritative map: there is one newest map at any time, and each follows from the one before. Usable
 * by several threads and processes. No method throws or blocks; every future completes within a bounded time, and never
 * exceptionally. A client that cannot reach the catalogue continues with its map.
 */
public interface Catalogue extends AutoCloseable {
    /** The number of last changes in the history; as many earlier ones that are not steps of moves follow. */
    int MOST_CHANGES = 64;

    /**
     * Reads the newest map: it includes everything decided before this call, and an unfinished earlier attempt is
     * either in it or will never be. For clients that change maps; others use a {@link #copy}. {@code Ok} or
     * {@code Unavailable}.
     */
    CompletableFuture<CatalogueAnswer> read();

    /**
     * Like {@link #read}, but an unfinished earlier attempt may still be decided later, and changes by others are not
     * delayed. For clients that display maps.
     */
    default CompletableFuture<CatalogueAnswer> look() {
        return read();
    }

    /**
     * Returns the newest map stamp known at one place that is cheap to ask; empty without an answer. It may be
     * outdated.
     */
    CompletableFuture<Optional<MapStamp>> stamp();

    /** Returns the newest decided map that can be read at once; empty if there is none. */
    CompletableFuture<Optional<PartitionMap>> copy();

    /**
     * Makes this map the newest if its parent is the newest now. Its commit has the unique id of the change. After an
     * unknown outcome, {@link #read} tells whether it was made.
     */
    CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next);

    /**
     * Does all of {@link #compareAndSet} that can be done before the map is sent, so that storing it is fast. The result
     * stores the map, and is called once; without that, nothing has happened.
     */
    default CompletableFuture<Supplier<CompletableFuture<CatalogueAnswer>>> prepare(PartitionMap next) {
        return CompletableFuture.completedFuture(() -> compareAndSet(next));
    }

    /**
     * Returns the last {@link #MOST_CHANGES} changes, after as many earlier ones that are not steps of moves, oldest
     * first; fewer if fewer are kept, none without an answer.
     */
    default CompletableFuture<List<MapChange>> history() {
        return copy().thenApply(copy -> copy
                .map(map -> new MapChange(map.version(), map.commit().operation()))
                .stream()
                .toList());
    }

    @Override
    void close();

    /**
     * A change that was made, with the map version after it, which stays the same if only the voters change. Unknown texts
     * are empty.
     */
    public record MapChange(long version, String operation, String at, String actor, String reason) {
        private static final String SEPARATOR = "\t";
        private static final Pattern PLAN = Pattern.compile("^plan (p-[0-9a-f]{8}): ");

        public MapChange(long version, String operation) {
            this(version, operation, "", "", "");
        }

        /** Returns whether a coordinator made it to carry out a move. */
        public boolean isStep() {
            return operation.startsWith(RegisterChange.STEP);
        }

        /** Returns the name of the plan that it has applied; empty if none. */
        public String plan() {
            Matcher plan = PLAN.matcher(reason);
            return plan.find() ? plan.group(1) : "";
        }

        static String about(MapCommit commit) {
            return String.join(SEPARATOR, commit.at().toString(), commit.actor(), commit.reason());
        }

        /** Parses a text, whose end may be missing. */
        static MapChange of(long version, String operation, String about) {
            String[] parts = (about + SEPARATOR + SEPARATOR).split(SEPARATOR, -1);
            return new MapChange(version, operation, parts[0], parts[1], parts[2]);
        }
    }
}
