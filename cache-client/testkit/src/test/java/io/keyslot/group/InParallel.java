// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Runs something on several threads at the same time. */
final class InParallel {
    private static final long LONGEST_SECONDS = 60;

    private InParallel() {}

    /** Runs the task with the numbers from 0, each on a thread of its own; fails as the first that fails. */
    static void run(int threads, IntConsumer task) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            CompletableFuture<Void> firstFailure = new CompletableFuture<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                running.add(CompletableFuture.runAsync(() -> task.accept(number), pool)
                        .whenComplete((done, failure) -> {
                            if (failure != null) {
                                firstFailure.completeExceptionally(failure);
                            }
                        }));
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
            CompletableFuture.anyOf(all, firstFailure)
                    .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS)
                    .join();
        } finally {
            pool.shutdownNow();
        }
    }
}
