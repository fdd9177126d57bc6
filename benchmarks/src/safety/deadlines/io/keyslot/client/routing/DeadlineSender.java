// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

/** Only hands over. */
final class DeadlineSender {
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return delegate.send(call);
    }
}
