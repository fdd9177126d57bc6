// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import java.util.function.Consumer;

/**
 * The source of a client's layouts, and the listener for reports of newer slot maps; a fixed one ignores them.
 * Thread-safe.
 *
 * <p>Layouts with the same version are equal. A source assigns a slot to a partition only if that stores nothing of the
 * slot or only current values: receivers neither move nor remove the entries of a slot that changes its owner.
 */
public interface TopologySource extends Partition.NewerMaps, AutoCloseable {
    static TopologySource fixed(Layout layout) {
        return new FixedTopology(layout);
    }

    Layout first();

    /**
     * Starts to report later layouts, from any thread and in any order, until this is closed. Call it once; the
     * listener must not throw or block.
     */
    void listen(Consumer<Layout> listener);

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
