// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

/**
 * The way of every command from a cache to the partitions. Each implementation has one duty and passes calls on to the next
 * channel; {@link PartitionRouter} is the one that reaches the partitions.
 *
 * <p>An implementation neither throws nor blocks: every failure is a reply. Safe for use by several threads.
 */
public interface Channel {
    <R> CompletableFuture<Reply<R>> send(Call<R> call);
}
