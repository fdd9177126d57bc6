// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

/** Tells nobody. */
final class ObservedSender {
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return delegate.send(call);
    }
}
