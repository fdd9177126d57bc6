// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

/** Refuses reads from replicas, because a partition in this process has none. */
final class EmbeddedReplicas implements ReplicaCommand.Operations {
    @Override
    public CompletableFuture<Reply<ReplicaCommand.Kept>> keep(ReplicaCommand.KeepHeartbeat command) {
        return refused();
    }

    @Override
    public CompletableFuture<Reply<ReplicaCommand.Behind>> read(ReplicaCommand.ReadBehind command) {
        return refused();
    }

    private static <R> CompletableFuture<Reply<R>> refused() {
        return CompletableFuture.completedFuture(
                Reply.refused(Refusal.FORBIDDEN, "a partition in this process has no replicas"));
    }
}
