// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

/** The epoch that all nodes of a cluster share. Thread-safe. */
@FunctionalInterface
public interface ClusterEpoch {
    /**
     * Ends this epoch unless it is over: all stored values become misses. Drops the connections of all clients at the
     * reachable nodes. Neither throws nor blocks.
     */
    CompletableFuture<Reply<Boolean>> end(int epoch);
}
