// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.concurrent.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** An event loop with a thread of its own; callers only wait. */
final class Undriven implements CallerDriven {
    @Override
    public <R> CompletableFuture<R> exchange(Supplier<CompletableFuture<R>> send, Patience patience) {
        CompletableFuture<R> reply = send.get();
        patience.await(reply);
        return reply;
    }

    @Override
    public <R> CompletableFuture<R> sendAhead(Supplier<CompletableFuture<R>> send) {
        return send.get();
    }

    @Override
    public void expect() {}

    @Override
    public void received() {}
}
