// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class Futures {
    private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /**
     * Returns the value if it is available, null if it is not or the future failed. Layers call this before they add a
     * continuation, which would cost a second future and a lambda: at least 56 bytes per layer, 6 % of the allocations
     * of an embedded get ({@code AllocationsIT}).
     */
    public static <T> @Nullable T valueOf(CompletableFuture<T> future) {
        return future.isDone() && !future.isCompletedExceptionally() ? future.getNow(null) : null;
    }

    /** Returns the value of a future that has ended, or throws its failure. */
    @SuppressWarnings("NullAway") // The null is never taken.
    public static <T extends @Nullable Object> T resultOf(CompletableFuture<T> ended) {
        try {
            return ended.getNow(null);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    /** Passes value or failure to the receiver; exceptions of the receiver are logged. */
    public static <T> void whenOver(
            CompletableFuture<T> future, BiConsumer<@Nullable T, @Nullable Throwable> receiver) {
        CompletableFuture<T> unused = future.whenComplete((value, failure) -> {
            try {
                receiver.accept(value, failure);
            } catch (RuntimeException e) {
                LOG.error("Unexpected failure; please report it", e);
            }
        });
    }
}
