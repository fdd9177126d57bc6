// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.slot.PartitionId;
import java.util.function.Consumer;

/**
 * The source of a client's layouts. Thread-safe.
 *
 * <p>Layouts with the same version are equal. A source assigns a slot to a partition only if that stores nothing of the
 * slot or only current values: receivers neither move nor remove the entries of a slot that changes its owner.
 */
public interface TopologySource extends AutoCloseable {
    static TopologySource fixed(Layout layout) {
        return new FixedTopology(layout);
    }

    Layout first();

    /**
     * Starts to report later layouts, from any thread and in any order, until this is closed. Call it once; the
     * listener must not throw or block.
     */
    void listen(Consumer<Layout> listener);

    /**
     * Reports that a partition knows a slot map of this version or a later one, so that the source reads it at once.
     * Called for each refusal with that reason; neither blocks nor throws. Returns whether the source looks for it; a
     * fixed one does not.
     */
    default boolean isSought(long version, PartitionId partition) {
        return false;
    }

    /**
     * Reports that a command was refused because its slot is frozen; that lasts milliseconds unless the coordinator has
     * failed. Called for each such refusal; neither blocks nor throws.
     */
    default void refusedFrozen() {}

    /**
     * Looks for a later layout now, because the partitions of the first one accept commands. Neither blocks nor throws.
     */
    default void look() {}

    /** Stops all reports. Idempotent; does not throw. */
    @Override
    void close();

    record FixedTopology(Layout first) implements TopologySource {
        @Override
        public void listen(Consumer<Layout> listener) {}

        @Override
        public void close() {}
    }
}
