// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.CompletableFuture;

/**
 * Sends commands that need no map to the partitions of a client. Neither throws nor blocks; every future completes
 * within a bounded time, never exceptionally.
 */
@FunctionalInterface
public interface AskedPartitions {
    <R> CompletableFuture<Reply<R>> ask(PartitionId partition, Command<R> command);
}
