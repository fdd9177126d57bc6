// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
public final class AsyncCalls {
    private final WorkPool pool;
    private final CallerContext context;
    /** The end of the last call in parts with each key. */
    private final ConcurrentMap<Object, CompletableFuture<?>> lastOfKeys = new ConcurrentHashMap<>();

    public AsyncCalls(WorkPool pool, CallerContext context) {
        this.pool = pool;
        this.context = context;
    }

    public <T extends @Nullable Object> CompletionStage<T> call(Supplier<T> operation) {
        Running<T> running = new Running<>(0, OneCommand.none(operation), () -> {});
        running.isSent = true;
        try {
            pool.execute(running, running::publishLate);
        } catch (RejectedExecutionException e) {
            running.outcome.completeExceptionally(full(e));
        }
        return running.outcome;
    }

    /**
     * A call in parts. Each part sends a command, and the next one goes on with the reply, so that no thread waits for it.
     * A part whose command was not sent sends it itself, and waits. For use by one thread at a time.
     */
    public interface Parts<T extends @Nullable Object> {
        /** Sends the next command. The future is complete when the reply is there; neither it nor this method fails. */
        CompletableFuture<?> send();

        /** Goes on with the reply; returns whether only the result is missing. */
        default boolean goOn() {
            return true;
        }

        /** Ends the call, which may fail. */
        T result();

        /** Returns whether the command sent last is a change. Then the call goes on even if its stage is cancelled. */
        boolean isChange();

        /** Returns what the call has in common with others that would compete with it, if they did not wait for its end. */
        default @Nullable Object key() {
            return null;
        }

        /** Returns whether its parts do not wait for anything else. */
        default boolean isAhead() {
            return true;
        }

        /** Does all on the calling thread. */
        default T now() {
            boolean ended = goOn();
            while (!ended) {
                ended = goOn();
            }
            return result();
        }
    }

    /** A call of one command, whose {@code rest} takes the reply, or sends it; or of none, which is not ahead. */
    public record OneCommand<T extends @Nullable Object>(
            @Nullable Supplier<CompletableFuture<?>> sending, Supplier<T> rest, boolean isChange) implements Parts<T> {
        public static <T extends @Nullable Object> OneCommand<T> none(Supplier<T> rest) {
            return new OneCommand<>(null, rest, false);
        }

        @Override
        public CompletableFuture<?> send() {
            return sending == null ? CompletableFuture.completedFuture(null) : sending.get();
        }

        @Override
        public boolean isAhead() {
            return sending != null;
        }

        @Override
        public T result() {
            return rest.get();
        }
    }

    /**
     * Sends the first command of a call about some entries on the calling thread, and runs each part on the pool when the
     * reply is there, and {@code after} if the call succeeds. If it is not ahead, or if a thread of the pool calls, or while
     * too many replies are awaited, the pool runs the whole. A failure of {@code begin} fails the stage.
     */
    public <T extends @Nullable Object> CompletionStage<T> callAhead(
            int entries, Supplier<? extends Parts<T>> begin, Runnable after) {
        Parts<T> parts;
        try {
            parts = begin.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (!parts.isAhead() || !pool.beginAhead(entries)) {
            return call(() -> {
                T result = parts.now();
                after.run();
                return result;
            });
        }
        Running<T> running = new Running<>(entries, parts, after);
        running.start();
        return running.outcome;
    }

    /** Makes calls about one entry each at the same time; {@code end} gets their ended stages. */
    public <T extends @Nullable Object, R> CompletionStage<R> callAll(
            Collection<? extends Parts<T>> calls, Function<List<CompletableFuture<T>>, R> end) {
        List<CompletableFuture<T>> stages = new ArrayList<>();
        Supplier<R> last = context.carry(() -> end.apply(stages)); // first, as this ends the observation
        calls.forEach(
                parts -> stages.add(this.<T>callAhead(1, () -> parts, () -> {}).toCompletableFuture()));
        CompletableFuture<R> outcome = CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> last.get());
        CompletableFuture<?> unused =
                outcome.whenComplete((result, failure) -> stages.forEach(stage -> stage.cancel(true)));
        return outcome;
    }

    /** As {@link #callAhead}, with an executor for the rest, which may block. */
    public <T extends @Nullable Object> CompletionStage<T> callAhead(OneCommand<T> call, Executor executor) {
        Supplier<T> rest = context.carry(call.rest());
        return call.send().handleAsync((reply, failure) -> rest.get(), executor);
    }

    private static CacheOverloadedException full(RejectedExecutionException cause) {
        return new CacheOverloadedException(
                "The pool for asynchronous operations is full: the operation was not started; raise"
                        + " async.threads, or repeat it later",
                cause);
    }

    public CompletionStage<@Nullable Void> run(Runnable operation) {
        return call(() -> {
            operation.run();
            return null;
        });
    }

    private final class Running<T extends @Nullable Object> implements Runnable {
        private final CompletableFuture<T> outcome = new CompletableFuture<>();
        private final CompletableFuture<?> ended = new CompletableFuture<>();
        private final int entries;
        private final Parts<T> parts;
        private final Supplier<T> last;
        private final Supplier<@Nullable CompletableFuture<?>> next;
        private boolean isSent;
        private @Nullable Thread thread; // guarded by this
        private boolean givenUp; // guarded by this

        Running(int entries, Parts<T> parts, Runnable after) {
            this.entries = entries;
            this.parts = parts;
            // First, as this ends the observation of the call.
            this.last = context.carry(() -> {
                T result = parts.result();
                after.run();
                return result;
            });
            this.next = context.carry(this::goOn);
            CompletableFuture<T> unused = outcome.whenComplete((result, failure) -> giveUp());
        }

        /** Sends the first command, now or after the last call with the same key. */
        void start() {
            Object key = parts.key();
            CompletableFuture<?> before = key == null ? null : lastOfKeys.put(key, ended);
            if (key != null) {
                CompletableFuture<?> unused = ended.whenComplete((result, failure) -> lastOfKeys.remove(key, ended));
            }
            if (before == null) {
                isSent = true;
                await(parts.send());
            } else {
                pool.executeAfter(
                        before,
                        () -> {
                            pool.endAhead(entries);
                            run();
                        },
                        () -> {
                            pool.endAhead(entries);
                            publishLate();
                        });
            }
        }

        private void await(CompletableFuture<?> reply) {
            CompletableFuture<?> unused = reply.whenComplete((done, failure) -> {
                pool.endAhead(entries);
                pool.executeElsewhere(
                        this,
                        () -> outcome.completeExceptionally(new OutcomeUnknownException(
                                "The pool for asynchronous operations is full: the command was sent,"
                                        + " and its reply was not used; raise async.threads")));
            });
        }

        @Override
        public void run() {
            if (!begin()) {
                return;
            }
            try {
                CompletableFuture<?> reply = next.get();
                if (reply == null) {
                    T result = last.get();
                    end();
                    outcome.complete(result);
                } else {
                    pause();
                    await(reply);
                }
            } catch (RuntimeException | Error e) {
                end();
                outcome.completeExceptionally(e);
            }
        }

        /** Goes on until the reply to a command may be awaited without a thread, and returns it; null at the end. */
        private @Nullable CompletableFuture<?> goOn() {
            while (!isSent || !parts.goOn()) {
                isSent = true;
                if (!Thread.currentThread().isInterrupted() && pool.goOnAhead(entries)) {
                    return parts.send();
                }
            }
            return null;
        }

        private synchronized boolean begin() {
            thread = givenUp ? null : Thread.currentThread();
            return parts.isChange() || !givenUp;
        }

        /** Lets the next call with the same key begin, even if a dependent stage waits for that. */
        private void end() {
            pause();
            ended.complete(null);
        }

        private synchronized void pause() {
            thread = null;
            if (givenUp) {
                boolean unused = Thread.interrupted(); // the interrupt was meant for this operation
            }
        }

        private void giveUp() {
            synchronized (this) {
                givenUp = true;
                if (thread != null) {
                    thread.interrupt();
                }
            }
            ended.complete(null);
        }

        void publishLate() {
            outcome.completeExceptionally(new CacheOverloadedException(
                    "No thread for asynchronous operations was free for %s: the operation was not started; raise async.threads, or look for continuations that wait"
                            .formatted(pool.longestWait())));
        }
    }
}
