// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
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
        Running<T> running = new Running<>(outcome, context.carry(operation), false);
        CompletableFuture<T> unused = outcome.whenComplete((result, failure) -> running.giveUp());
        try {
            pool.execute(running, () -> publishLate(outcome));
        } catch (RejectedExecutionException e) {
            outcome.completeExceptionally(full(e));
        }
        return outcome;
    }

    /**
     * The first command of a call, which was sent, and the rest of the call for when its reply is there. The rest of a
     * change runs even if its stage is cancelled meanwhile.
     */
    public record Sent<T extends @Nullable Object>(CompletableFuture<?> reply, Supplier<T> rest, boolean isChange) {
        /** Returns the same with something to do after the rest, if that does not fail. */
        public Sent<T> then(Runnable after) {
            Supplier<T> both = () -> {
                T result = rest.get();
                after.run();
                return result;
            };
            return new Sent<>(reply, both, isChange);
        }
    }

    /**
     * Sends the first command of an operation on some entries on the calling thread, and runs the rest on the pool when
     * the reply is there, so that no thread waits for it. Does {@code otherwise} if {@code send} returns null, on a
     * thread of the pool, and while too many replies are awaited.
     */
    public <T extends @Nullable Object> CompletionStage<T> callAhead(
            int entries, Supplier<@Nullable Sent<T>> send, Supplier<CompletionStage<T>> otherwise) {
        if (!pool.beginAhead(entries)) {
            return otherwise.get();
        }
        Sent<T> sent = null;
        try {
            sent = send.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            if (sent == null) {
                pool.endAhead(entries);
            }
        }
        return sent == null ? otherwise.get() : rest(entries, sent);
    }

    private <T extends @Nullable Object> CompletionStage<T> rest(int entries, Sent<T> sent) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Running<T> running = new Running<>(outcome, context.carry(sent.rest()), sent.isChange());
        CompletableFuture<T> unused = outcome.whenComplete((result, failure) -> running.giveUp());
        CompletableFuture<?> unusedReply = sent.reply().whenComplete((reply, failure) -> {
            pool.endAhead(entries);
            pool.executeElsewhere(
                    running,
                    () -> outcome.completeExceptionally(new OutcomeUnknownException(
                            "The pool for asynchronous operations is full: the command was sent,"
                                    + " and its reply was not used; raise async.threads")));
        });
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
        private final boolean isSure;
        private @Nullable Thread thread; // guarded by this
        private boolean givenUp; // guarded by this

        /** Creates an operation; {@code isSure}: it is started even if its outcome is given up before. */
        Running(CompletableFuture<T> outcome, Supplier<T> operation, boolean isSure) {
            this.outcome = outcome;
            this.operation = operation;
            this.isSure = isSure;
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
            return isSure || !givenUp;
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
