// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;

/**
 * The end of a call: an instant by a {@link Ticker}, or when its caller abandons the call, whichever comes first. It is
 * created once per call and passed to every step. Thread-safe.
 *
 * <p>The creator abandons it when the call returns. From then on nothing is {@linkplain #begin begun} for the call: no
 * attempt, no batch, no reaction to an answer. Commands already sent may still be executed, but before anything that
 * this process sends afterwards.
 */
public final class Deadline {
    /** A century; longer durations are cut, so that differences do not overflow. */
    private static final Duration LONGEST = Duration.ofDays(36_525);

    private static final long LONGEST_NANOS = LONGEST.toNanos();

    private static final AtomicIntegerFieldUpdater<Deadline> BEGINNING =
            AtomicIntegerFieldUpdater.newUpdater(Deadline.class, "beginning");

    private final Ticker ticker;
    private final long end;
    private volatile boolean givenUp;

    /** The number of threads in {@link #begin}; giving up waits for them. */
    private volatile int beginning;

    private Deadline(Ticker ticker, long end) {
        this.ticker = ticker;
        this.end = end;
    }

    public static Deadline after(Ticker ticker, Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        return new Deadline(ticker, ticker.nanos() + bounded.toNanos());
    }

    /** Returns the deadline this long after an instant, which is about now. */
    public static Deadline after(Ticker ticker, long startNanos, long nanos) {
        return new Deadline(ticker, startNanos + Math.min(nanos, LONGEST_NANOS));
    }

    static Deadline never() {
        return after(new SystemTicker(), LONGEST);
    }

    public boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Returns the remaining time; 0 or less after the deadline or once abandoned. */
    public long remainingNanos() {
        long remaining = end - ticker.nanos();
        return givenUp ? Math.min(remaining, 0) : remaining;
    }

    /** Runs the step unless the call was abandoned, else the other supplier. A step must not throw or block. */
    public <T> T begin(Supplier<T> step, Supplier<T> otherwise) {
        BEGINNING.incrementAndGet(this);
        try {
            return givenUp ? otherwise.get() : step.get();
        } finally {
            BEGINNING.decrementAndGet(this);
        }
    }

    /** Abandons the call: nothing is begun from now on, and steps in progress have ended when this returns. */
    public void giveUp() {
        givenUp = true;
        while (beginning > 0) {
            Thread.onSpinWait(); // steps are short; threads that enter now see that it is over
        }
    }
}
