// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.time.Deadline;
import java.time.Duration;

/** How long a change goes on against other writers of the same entry. For one change, and one thread. */
final class Contention {
    /**
     * How long a change may lose. One of the writers always wins, so this is reached only by a process that is much slower
     * than the others, or while the application's writer of another one takes long.
     */
    static final Duration LONGEST = Duration.ofSeconds(5);

    /** A change whose processor takes seconds is attempted this often all the same. */
    static final int FEWEST_ATTEMPTS = 10;

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final int MOST_DOUBLINGS = 4;

    private final CacheParts<?, ?> parts;
    private final Deadline patience;
    private int attempts;

    Contention(CacheParts<?, ?> parts) {
        this.parts = parts;
        this.patience = Deadline.after(parts.ticker(), LONGEST);
    }

    /** Takes note of an attempt that another writer came before; returns whether there may be another one. */
    boolean lost() {
        attempts++;
        return !patience.isOver() || attempts < FEWEST_ATTEMPTS;
    }

    /** Lets a moment pass, longer each time, and random; returns whether there may be another attempt. */
    boolean pause() {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        Duration longest = SHORTEST_PAUSE.multipliedBy(1L << Math.min(attempts, MOST_DOUBLINGS));
        long half = longest.toNanos() / 2;
        parts.waiter().pause(Duration.ofNanos(half + parts.random().nextLong(half)));
        return true;
    }

    /** Returns the exception of a change that came too late for others each time, or did not wait for them. */
    KeyslotException failure(String operation) {
        return Thread.currentThread().isInterrupted()
                ? parts.failures().ofInterruptedWait(operation)
                : parts.failures().ofContention(operation, attempts);
    }
}
