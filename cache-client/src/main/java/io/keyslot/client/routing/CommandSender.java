// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Reply;
import java.util.concurrent.CompletableFuture;

interface CommandSender {
    <R> CompletableFuture<Reply<R>> send(Call<R> call);
}
