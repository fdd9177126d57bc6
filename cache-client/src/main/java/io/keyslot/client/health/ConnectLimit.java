// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Limits how often this process connects to one address, because a handshake is expensive for a server that has just
 * come back. After {@value #BURST} connects in a row, connects start one per {@link #INTERVAL}, each delayed at random
 * by up to one more interval. All partitions and managers of a provider share one limit. An address does not delay
 * another one, and a slow connect does not delay other connects. Thread-safe.
 */
public final class ConnectLimit {
    /** As many managers may connect to one server at the same time without waiting. */
    static final int BURST = 20;

    static final Duration INTERVAL = Duration.ofMillis(10);

    /** A connect that would wait longer fails instead; its partition tries again later anyway. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /** With more addresses than this, those without recent connects are removed. */
    private static final int MANY_ADDRESSES = 1_000;

    /** The due time of the next connect if they came one per interval; guarded by this. */
    private final Map<String, Long> due = new HashMap<>();

    /** Connects now or later, with a function that neither throws nor blocks. */
    public <T> CompletableFuture<T> run(String address, Timing timing, Supplier<CompletableFuture<T>> connect) {
        long wait = reserve(address, timing.ticker().nanos());
        if (wait == 0) {
            return connect.get();
        }
        if (wait > LONGEST_WAIT.toNanos()) {
            return failed("this process connects to it too often at the moment");
        }
        CompletableFuture<Boolean> pause = new CompletableFuture<>();
        boolean isScheduled = timing.schedule(() -> pause.complete(true), wait + timing.upTo(INTERVAL))
                .isPresent();
        return isScheduled ? pause.thenCompose(over -> connect.get()) : failed("closed before it was connected");
    }

    /** Returns how long the next connect must wait. A connect that would wait too long is not counted. */
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
}
