// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.concurrent.CompletableFuture;

/**
 * An instance that may have a vote.
 *
 * <p>{@link #ask} neither throws nor blocks. Its future is always completed within a bounded time, and never exceptionally: an
 * instance that cannot be asked is {@link AcceptorAnswer.Silent}.
 */
@FunctionalInterface
public interface Acceptor {
    CompletableFuture<AcceptorAnswer> ask(AcceptorRequest request);
}
