// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.partition.redis.cluster.ClusterHome;
import java.time.Duration;
import java.util.List;

/**
 * A client of a cluster without caches: what an operator's commands ask its nodes. {@link OperatorAssembly} makes it. Safe for use by
 * several threads.
 *
 * @param home the cluster
 * @param atMost how long one question to a node takes at most, by the configured deadlines
 * @param timing where time, timers and chance come from
 * @param waiter waits, and nobody else does
 * @param closing what has to be closed, in order
 */
public record OperatorNodes(ClusterHome home, Duration atMost, Timing timing, Waiter waiter, List<Runnable> closing)
        implements AutoCloseable {

    /** Gives everything up; the first failure carries the others. To be called once. */
    @Override
    public void close() {
        Closing.all(closing);
    }
}
