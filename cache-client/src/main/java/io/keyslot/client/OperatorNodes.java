// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.partition.redis.cluster.ClusterHome;
import java.time.Duration;
import java.util.List;

/**
 * A client of a cluster without caches, for an operator's commands, created by {@link OperatorAssembly}. One command
 * takes at most {@code atMost}. Thread-safe.
 */
public record OperatorNodes(ClusterHome home, Duration atMost, Timing timing, Waiter waiter, List<Runnable> closing)
        implements AutoCloseable {

    /** Closes all parts; the first failure has the others as suppressed. Call this once. */
    @Override
    public void close() {
        Closing.all(closing);
    }
}
