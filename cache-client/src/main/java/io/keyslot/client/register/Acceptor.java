// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.concurrent.CompletableFuture;

/**
 * An instance that may have a vote. {@link #ask} neither throws nor blocks; its future completes within a bounded time
 * and never exceptionally: an unreachable instance is {@link AcceptorAnswer.Silent}.
 */
@FunctionalInterface
public interface Acceptor {
    CompletableFuture<AcceptorAnswer> ask(AcceptorRequest request);
}
