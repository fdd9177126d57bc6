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
 * Runs operations on the pool of a client. Every stage ends: with what the operation gives, or with a failure that says
 * that it was not started.
 *
 * <p>Who completes or cancels the stage gives the operation up: it is not started any more, or its thread is interrupted.
 *
 * <p>The context learns of the end of an operation before its stage ends, and so before what continues it.
 *
 * <p>A call by a thread of the pool, as from the continuation of another call, is done by that thread before it returns.
 */
public record AsyncCalls(WorkPool pool, CallerContext context) {
    /** Creates calls that nobody follows. */
    public AsyncCalls(WorkPool pool) {
        this(pool, CallerContext.NONE);
    }

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
                "The pool for asynchronous operations is full: the operation was not started; raise async.queue or"
                        + " async.threads, or repeat it later",
                cause);
    }

    private void publishLate(CompletableFuture<?> outcome) {
        outcome.completeExceptionally(new CacheOverloadedException(
                "No thread for asynchronous operations was free for %s: the operation was not started; raise async.threads or async.wait, or look for continuations that wait"
                        .formatted(pool.longestWait())));
    }

    /** Takes an argument on the caller's thread, and calls the operation with it later; either may fail the stage. */
    public <A, T extends @Nullable Object> CompletionStage<T> call(Supplier<A> argument, Function<A, T> operation) {
        A taken;
        try {
            taken = argument.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return call(() -> operation.apply(taken));
    }

    /** As {@link #call(Supplier, Function)}, for an operation without a result. */
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

    /** An operation, and the thread that runs it. */
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
                boolean unused = Thread.interrupted(); // it was meant for this operation
            }
        }

        /** Called by whoever completes the outcome. */
        synchronized void giveUp() {
            givenUp = true;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }
}
