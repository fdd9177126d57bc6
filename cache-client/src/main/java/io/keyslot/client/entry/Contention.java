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
 * Bounds the retries of one optimistic change, which is applied only if the entry is as it was read. For one thread.
 */
public final class Contention {
    /**
     * How long a change may be retried. One of the writers always wins, so this limit is reached only by a process that
     * is much slower than the others, or that waits for a slow cache writer of another process.
     */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    /** The attempts that a change gets even if its processor takes seconds. */
    public static final int FEWEST_ATTEMPTS = 10;

    /** The longest pause after the first lost attempt; it doubles with each further attempt. */
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

    /** Begins an attempt, which may run code of the application. {@code decisive} accepts the keys that it has read. */
    public CallScope attempt(Predicate<EncodedKey> decisive) {
        basis = decisive;
        return CallScope.enter(this);
    }

    /** Records that the calling thread has changed an entry, perhaps in a re-entrant call. */
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
     * Records that an attempt lost; returns whether to retry. After two successive losses against its own re-entrant
     * call, it does not, as the next attempt would lose as well.
     */
    public boolean lost() {
        lostToItself = isOwnChange ? lostToItself + 1 : 0;
        isOwnChange = false;
        attempts++;
        return lostToItself < 2 && (!patience.isOver() || attempts < FEWEST_ATTEMPTS);
    }

    public boolean pause() {
        if (Unanswered.isInterrupted()) {
            return false;
        }
        Duration longest = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts - 1, MOST_DOUBLINGS));
        long half = longest.toNanos() / 2;
        waiter.pause(Duration.ofNanos(half + random.nextLong(half)));
        return true;
    }

    /** Returns the exception for a change that lost all attempts or was interrupted; throws for a re-entrant call. */
    public KeyslotException failure(String operation) {
        if (lostToItself > 1) {
            throw failures.ofReentrantCall(operation);
        }
        return Unanswered.isInterrupted()
                ? failures.ofInterruptedWait(operation)
                : failures.ofContention(operation, attempts);
    }
}
