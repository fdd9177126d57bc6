// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.partition.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;

/** The locks that the groups of one manager hold, for their release at its end. Safe for use by several threads. */
final class HeldLocks implements AutoCloseable {
    private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

    /** Each is renewed several times in its lease. */
    static final int MOST = 10_000;

    private final Set<HeldLock> held = ConcurrentHashMap.newKeySet();
    private final Timing timing;
    private final Waiter waiter;

    HeldLocks(Timing timing, Waiter waiter) {
        this.timing = timing;
        this.waiter = waiter;
    }

    /** Throws {@code CacheOverloadedException} if the manager holds the maximum number of locks. */
    void requirePlace(String root) {
        if (held.size() >= MOST) {
            throw new CacheOverloadedException(
                    "Group %s: the lock was not taken: this manager holds %d locks, which is the most; close some"
                            .formatted(root, MOST));
        }
    }

    void hold(HeldLock lock) {
        held.add(lock);
        lock.renewLater();
    }

    void remove(HeldLock lock) {
        held.remove(lock);
    }

    Deadline releaseDeadline() {
        return Deadline.after(timing.ticker(), LONGEST_RELEASE);
    }

    Reply<Boolean> await(CompletableFuture<Reply<Boolean>> answer) {
        return waiter.await(answer, releaseDeadline(), () -> Reply.unknown("no answer in time", null));
    }

    Optional<Future<?>> later(Runnable task, Duration pause) {
        return timing.schedule(task, pause.toNanos());
    }

    /** Pauses, half of the time at random; returns false if there is no time left. */
    boolean pause(Deadline end, Duration longest) {
        if (end.isOver()) {
            return false;
        }
        Duration half = longest.dividedBy(2);
        long nanos = half.toNanos() + timing.upTo(half);
        waiter.pause(Duration.ofNanos(Math.min(nanos, end.remainingNanos())));
        return true;
    }

    /** Releases all locks concurrently, and waits as long as for a single one. */
    @Override
    public void close() {
        CompletableFuture<?>[] released =
                List.copyOf(held).stream().map(HeldLock::release).toArray(CompletableFuture<?>[]::new);
        waiter.awaitClose(CompletableFuture.allOf(released).thenApply(done -> true), LONGEST_RELEASE, () -> false);
    }
}
