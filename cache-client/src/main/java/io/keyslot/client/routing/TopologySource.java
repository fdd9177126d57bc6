// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.slot.PartitionId;
import java.util.function.Consumer;

/**
 * Where a client learns which partitions there are and who owns what. Safe for use by several threads.
 *
 * <p>Versions tell layouts apart: two of the same version are the same. A slot is given to a partition only if nothing is
 * stored there for it, or what is stored is current: whoever hears of layouts neither moves nor removes the entries of a slot that
 * changes its owner.
 */
public interface TopologySource extends AutoCloseable {
    /** Returns a source of one layout, which never changes. */
    static TopologySource fixed(Layout layout) {
        return new FixedTopology(layout);
    }

    /** Returns the layout to start with. Neither blocks for long nor throws for what may be over in a moment. */
    Layout first();

    /**
     * Begins to tell of later layouts, from any thread and in any order, until this is closed. To be called once.
     *
     * @param listener neither throws nor blocks
     */
    void listen(Consumer<Layout> listener);

    /**
     * Hears that a partition knows a newer slot map: of this version or a later one. It looks for it at once, and tells of it
     * as of any other. Called as often as somebody is refused for that; neither blocks nor throws.
     *
     * @return whether it looks; one that never knows another layout does not
     */
    default boolean isSought(long version, PartitionId partition) {
        return false;
    }

    /**
     * Hears that a command was refused because its slot is frozen, which is over in milliseconds unless somebody has died. Called
     * as often as that happens; neither blocks nor throws.
     */
    default void refusedFrozen() {}

    /** Looks for a later layout now: the partitions of the first one can be asked from now on. Neither blocks nor throws. */
    default void look() {}

    /** Tells of nothing any more. Does not throw; does nothing the second time. */
    @Override
    void close();
}
