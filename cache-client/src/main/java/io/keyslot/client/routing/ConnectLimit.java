// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.ConnectFailure;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets at most two connects run at a time, in the order in which they were asked for. A handshake is expensive for a
 * server that has just come back. One limit for all partitions of a process. Safe for use by several threads.
 */
public final class ConnectLimit {
    static final int MOST_AT_A_TIME = 2;

    /** Each partition waits at most once, so that only an absurd number of partitions reaches this. */
    static final int MOST_WAITING = 1024;

    private final Object lock = new Object();
    private final Queue<Runnable> waiting = new ArrayDeque<>(); // guarded by lock
    private int running; // guarded by lock

    /** Connects now or when it is its turn. The future fails with what the connect fails with. */
    <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> connect) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable start = () -> start(connect, result);
        switch (admit(start)) {
            case NOW -> start.run();
            case LATER -> {}
            case NEVER ->
                result.completeExceptionally(new ConnectFailure(
                        ConnectFailure.Kind.UNREACHABLE, MOST_WAITING + " other connects are waiting already", null));
        }
        return result;
    }

    private enum Admission {
        NOW,
        LATER,
        NEVER
    }

    private Admission admit(Runnable start) {
        synchronized (lock) {
            if (running < MOST_AT_A_TIME) {
                running++;
                return Admission.NOW;
            }
            if (waiting.size() == MOST_WAITING) {
                return Admission.NEVER;
            }
            waiting.add(start);
            return Admission.LATER;
        }
    }

    private <T> void start(Supplier<CompletableFuture<T>> connect, CompletableFuture<T> result) {
        Futures.whenOver(begun(connect), (connected, failure) -> {
            // The turn is passed on first: what follows from the result may take longer.
            startNext();
            settle(result, connected, failure);
        });
    }

    /** A connect that throws would otherwise keep its place for ever. */
    private static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> connect) {
        try {
            return connect.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void startNext() {
        Runnable next;
        synchronized (lock) {
            next = waiting.poll();
            if (next == null) {
                running--;
            }
        }
        if (next != null) {
            next.run();
        }
    }

    private static <T> void settle(CompletableFuture<T> result, @Nullable T connected, @Nullable Throwable failure) {
        if (connected != null) {
            result.complete(connected);
        } else {
            result.completeExceptionally(
                    failure != null ? failure : new IllegalStateException("neither a connection nor a failure"));
        }
    }
}
