// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import io.keyslot.cache.failure.CacheOverloadedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations on the pool of a client. Every stage completes: with the result of the operation, or with a failure
 * if it was not started. Completing or cancelling the stage abandons the operation: it is not started any more, or its
 * thread is interrupted.
 *
 * <p>The context learns of the end of an operation before its stage completes, and so before dependent stages run. A
 * call by a thread of the pool, such as in a dependent stage, runs in that thread before it returns.
 */
public record AsyncCalls(WorkPool pool, CallerContext context) {

    public <T extends @Nullable Object> CompletionStage<T> call(Supplier<T> operation) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Running<T> running = new Running<>(outcome, context.carry(operation));
        CompletableFuture<T> unused = outcome.whenComplete((result, failure) -> running.giveUp());
        try {
            pool.execute(running, () -> publishLate(outcome));
        } catch (RejectedExecutionException e) {
            outcome.completeExceptionally(full(e));
        }
        return outcome;
    }

    private static CacheOverloadedException full(RejectedExecutionException cause) {
        return new CacheOverloadedException(
                "The pool for asynchronous operations is full: the operation was not started; raise"
                        + " async.threads, or repeat it later",
                cause);
    }

    private void publishLate(CompletableFuture<?> outcome) {
        outcome.completeExceptionally(new CacheOverloadedException(
                "No thread for asynchronous operations was free for %s: the operation was not started; raise async.threads, or look for continuations that wait"
                        .formatted(pool.longestWait())));
    }

    /**
     * Evaluates an argument on the caller's thread, and calls the operation with it later; either may fail the stage.
     */
    public <A, T extends @Nullable Object> CompletionStage<T> call(Supplier<A> argument, Function<A, T> operation) {
        A taken;
        try {
            taken = argument.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return call(() -> operation.apply(taken));
    }

    public <A> CompletionStage<@Nullable Void> run(Supplier<A> argument, Consumer<A> operation) {
        return call(argument, taken -> {
            operation.accept(taken);
            return null;
        });
    }

    public CompletionStage<@Nullable Void> run(Runnable operation) {
        return call(() -> {
            operation.run();
            return null;
        });
    }

    private static final class Running<T extends @Nullable Object> implements Runnable {
        private final CompletableFuture<T> outcome;
        private final Supplier<T> operation;
        private @Nullable Thread thread; // guarded by this
        private boolean givenUp; // guarded by this

        Running(CompletableFuture<T> outcome, Supplier<T> operation) {
            this.outcome = outcome;
            this.operation = operation;
        }

        @Override
        public void run() {
            if (!begin()) {
                return;
            }
            try {
                T result = operation.get();
                end();
                outcome.complete(result);
            } catch (RuntimeException | Error e) {
                end();
                outcome.completeExceptionally(e);
            }
        }

        private synchronized boolean begin() {
            thread = givenUp ? null : Thread.currentThread();
            return !givenUp;
        }

        private synchronized void end() {
            thread = null;
            if (givenUp) {
                boolean unused = Thread.interrupted(); // the interrupt was meant for this operation
            }
        }

        synchronized void giveUp() {
            givenUp = true;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }
}
