// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * How long an optimistic change, one that is applied only if what it has read is as it was, goes on against others: the
 * bound of every such loop. For one change, and one thread.
 */
public final class Contention {
    /**
     * How long a change may lose. One of the writers always wins, so this is reached only by a process that is much slower
     * than the others, or while the application's writer of another one takes long.
     */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    /** A change whose processor takes seconds is attempted this often all the same. */
    public static final int FEWEST_ATTEMPTS = 10;

    /** The longest pause after the first attempt that was lost; it doubles with each further one. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

    private static final int MOST_DOUBLINGS = 4;

    private final Deadline patience;
    private final RandomGenerator random;
    private final Waiter waiter;
    private final Failures failures;
    private int attempts;
    private Predicate<EncodedKey> basis = key -> false;
    private volatile boolean isOwnChange;
    private int lostToItself;

    public Contention(Ticker ticker, RandomGenerator random, Waiter waiter, Failures failures) {
        this.patience = Deadline.after(ticker, LONGEST);
        this.random = random;
        this.waiter = waiter;
        this.failures = failures;
    }

    /**
     * Begins an attempt, which may run code of the application.
     *
     * @param decisive whether an entry is one that the attempt decides by
     */
    public CallScope attempt(Predicate<EncodedKey> decisive) {
        basis = decisive;
        return CallScope.enter(this);
    }

    /** Takes note that the calling thread has changed an entry, be it by a re-entrant call. */
    static void changed(EncodedKey key) {
        if (CallScope.isWithinAny()) {
            CallScope.forEach(scope -> {
                if (scope instanceof Contention attempt && attempt.basis.test(key)) {
                    attempt.isOwnChange = true;
                }
            });
        }
    }

    /**
     * Takes note of an attempt that another writer came before; returns whether there may be another one. There is none if
     * that was the attempt itself, by a re-entrant call, twice in succession: it would be so again.
     */
    public boolean lost() {
        lostToItself = isOwnChange ? lostToItself + 1 : 0;
        isOwnChange = false;
        attempts++;
        return lostToItself < 2 && (!patience.isOver() || attempts < FEWEST_ATTEMPTS);
    }

    /**
     * Lets others finish, after {@link #lost}; longer each time, and in part by chance, so that two that meet do not meet again. Returns whether
     * there may be another attempt.
     */
    public boolean pause() {
        if (Unanswered.isInterrupted()) {
            return false;
        }
        Duration longest = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts - 1, MOST_DOUBLINGS));
        long half = longest.toNanos() / 2;
        waiter.pause(Duration.ofNanos(half + random.nextLong(half)));
        return true;
    }

    /**
     * Returns the exception of a change that came too late for others each time, or did not wait for them.
     *
     * @throws IllegalStateException if it came too late for itself
     */
    public KeyslotException failure(String operation) {
        if (lostToItself > 1) {
            throw failures.ofReentrantCall(operation);
        }
        return Unanswered.isInterrupted()
                ? failures.ofInterruptedWait(operation)
                : failures.ofContention(operation, attempts);
    }
}
