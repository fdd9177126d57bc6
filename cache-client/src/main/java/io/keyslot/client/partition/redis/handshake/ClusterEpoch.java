// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

/** The epoch that all nodes of a cluster have in common. Safe for use by several threads. */
@FunctionalInterface
public interface ClusterEpoch {
    /**
     * Ends this epoch unless it is over: what all nodes have stored is not served any more. The connections of all clients are
     * dropped, as far as the nodes can be reached. Neither throws nor blocks.
     */
    CompletableFuture<Reply<Boolean>> end(int epoch);
}
