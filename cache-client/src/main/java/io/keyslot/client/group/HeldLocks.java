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

/** The locks that the groups of one manager hold, to be given back when it is closed. Safe for use by several threads. */
final class HeldLocks implements AutoCloseable {
    /** How long to wait for the partition to take a lock back. */
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

    /**
     * Does nothing while there is a place for another lock.
     *
     * @throws CacheOverloadedException if there are too many
     */
    void requirePlace(String root) {
        if (held.size() >= MOST) {
            throw new CacheOverloadedException(
                    "Group %s: the lock was not taken: this manager holds %d locks, which is the most; close some"
                            .formatted(root, MOST));
        }
    }

    /** Keeps a lock by renewing it, until it is removed. */
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

    /** Waits for an answer that concerns a lock which is given up. */
    Reply<Boolean> await(CompletableFuture<Reply<Boolean>> answer) {
        return waiter.await(answer, releaseDeadline(), () -> Reply.unknown("no answer in time", null));
    }

    /** Runs the task later; empty if the client is closed. */
    Optional<Future<?>> later(Runnable task, Duration pause) {
        return timing.schedule(task, pause.toNanos());
    }

    /** Returns whether there is still time; half of each pause is by chance. */
    boolean pause(Deadline end, Duration longest) {
        if (end.isOver()) {
            return false;
        }
        Duration half = longest.dividedBy(2);
        long nanos = half.toNanos() + timing.upTo(half);
        waiter.pause(Duration.ofNanos(Math.min(nanos, end.remainingNanos())));
        return true;
    }

    /** Gives all locks back together, and waits no longer for them than for one. */
    @Override
    public void close() {
        CompletableFuture<?>[] released =
                List.copyOf(held).stream().map(HeldLock::release).toArray(CompletableFuture<?>[]::new);
        waiter.awaitClose(CompletableFuture.allOf(released).thenApply(done -> true), LONGEST_RELEASE, () -> false);
    }
}
