// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * An instance that may have a vote. {@link #ask} neither throws nor blocks; its future completes within a bounded time
 * and never exceptionally: an unreachable instance is {@link AcceptorAnswer.Silent}.
 */
@FunctionalInterface
public interface Acceptor {
    CompletableFuture<AcceptorAnswer> ask(AcceptorRequest request);

    /** Returns what makes acceptors store values with a signature by this key, and believe no others. */
    static UnaryOperator<Acceptor> sealed(String key) {
        return new Seal(key)::at;
    }
}
