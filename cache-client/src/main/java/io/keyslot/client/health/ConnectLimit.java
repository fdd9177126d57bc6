// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how often this process connects to one address: a handshake is expensive for a server that has just come back. After
 * {@value #BURST} connects in a row there is one each {@link #INTERVAL}, and up to as much later by chance.
 *
 * <p>There is one limit for all partitions and managers of a provider, and no queue: what one address does, or does not,
 * holds up no other, and a connect that takes long holds up none at all. Safe for use by several threads.
 */
public final class ConnectLimit {
    /** So many managers may start at once at one server without waiting. */
    static final int BURST = 20;

    static final Duration INTERVAL = Duration.ofMillis(10);

    /** Beyond this, a connect fails instead of waiting, as its partition tries again later anyway. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /** More addresses than this are looked through for those that nobody has connected to lately. */
    private static final int MANY_ADDRESSES = 1_000;

    /** When the next connect would be due if they came one each interval; guarded by this. */
    private final Map<String, Long> due = new HashMap<>();

    /**
     * Connects now, or when it may. The future fails with what the connect fails with. Neither throws nor blocks.
     *
     * @param address of the server
     */
    public <T> CompletableFuture<T> run(String address, Timing timing, Supplier<CompletableFuture<T>> connect) {
        long wait = reserve(address, timing.ticker().nanos());
        if (wait == 0) {
            return begun(connect);
        }
        if (wait > LONGEST_WAIT.toNanos()) {
            return failed("this process connects to it too often at the moment");
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        boolean isScheduled = timing.schedule(
                        () -> Futures.whenOver(
                                begun(connect), (connected, failure) -> settle(result, connected, failure)),
                        wait + timing.upTo(INTERVAL))
                .isPresent();
        return isScheduled ? result : failed("closed before it was connected");
    }

    /** Returns how long to wait for one more connect; one that would wait too long takes nobody's turn. */
    private synchronized long reserve(String address, long now) {
        long next = Math.max(0, due.getOrDefault(address, now) - now);
        long wait = Math.max(0, next - INTERVAL.toNanos() * (BURST - 1));
        if (wait <= LONGEST_WAIT.toNanos()) {
            if (due.size() >= MANY_ADDRESSES) {
                due.values().removeIf(other -> other - now <= 0);
            }
            due.put(address, now + next + INTERVAL.toNanos());
        }
        return wait;
    }

    private static <T> CompletableFuture<T> failed(String why) {
        return CompletableFuture.failedFuture(new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, why, null));
    }

    private static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> connect) {
        try {
            return connect.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
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
