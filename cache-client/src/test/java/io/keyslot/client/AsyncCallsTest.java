// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.failure.CacheOverloadedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class AsyncCallsTest {
    private final Deque<Runnable> pool = new ArrayDeque<>();
    private final AsyncCalls calls = new AsyncCalls(pool::add);

    @Test
    void result_comesFromThePool() {
        CompletableFuture<String> stage = calls.call(() -> "result").toCompletableFuture();

        assertThat(stage).isNotDone();
        pool.remove().run();
        assertThat(stage).isCompletedWithValue("result");
    }

    @Test
    void failure_comesThroughTheStageAsItIs() {
        IllegalStateException failure = new IllegalStateException("failure");
        StackOverflowError error = new StackOverflowError();

        CompletableFuture<?> failed = calls.run(() -> {
                    throw failure;
                })
                .toCompletableFuture();
        CompletableFuture<?> broken = calls.run(() -> {
                    throw error;
                })
                .toCompletableFuture();
        pool.remove().run();
        pool.remove().run();

        assertThat(failed.handle((result, thrown) -> thrown)).isCompletedWithValue(failure);
        assertThat(broken.handle((result, thrown) -> thrown)).isCompletedWithValue(error);
    }

    @Test
    void fullPool_isToldThroughTheStage() {
        RejectedExecutionException full = new RejectedExecutionException("full");
        AsyncCalls limited = new AsyncCalls(task -> {
            throw full;
        });

        assertThat(limited.call(() -> "result")
                        .toCompletableFuture()
                        .handle((result, thrown) -> String.valueOf(thrown)))
                .isCompletedWithValue(CacheOverloadedException.class.getName()
                        + ": The pool for asynchronous operations is full: the operation was not started;"
                        + " raise async.queue or async.threads, or repeat it later");
    }
}
