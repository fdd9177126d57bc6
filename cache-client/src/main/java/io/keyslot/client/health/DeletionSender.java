// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

@FunctionalInterface
interface DeletionSender {
    CompletableFuture<? extends Reply<?>> send(PendingDeletes.Batch batch, PartitionConnection over);

    static String reason(@Nullable Reply<?> reply) {
        if (reply instanceof Reply.Refused<?> refused) {
            return refused.detail();
        }
        return reply instanceof Reply.Unknown<?> unknown ? unknown.detail() : "no reply";
    }
}
