// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a call may go on: until an instant, by a {@link Ticker}, or until its caller gives it up, whichever comes first.
 * Made once, at the door, and handed down to every step. Safe for use by several threads.
 *
 * <p>Who has made it gives it up when the call returns, by whatever way. From then on nothing is {@linkplain #begin begun}
 * for that call: neither another attempt, nor the next batch, nor what would follow from an answer. What has been sent may
 * still be executed; but whatever this process sends afterwards comes after it.
 */
public final class Deadline {
    /** A century: longer is not told apart, so that differences never overflow. */
    private static final Duration LONGEST = Duration.ofDays(36_525);

    private static final long LONGEST_NANOS = LONGEST.toNanos();

    private static final AtomicIntegerFieldUpdater<Deadline> BEGINNING =
            AtomicIntegerFieldUpdater.newUpdater(Deadline.class, "beginning");

    private final Ticker ticker;
    private final long end;
    private final @Nullable Deadline whole;
    private volatile boolean givenUp;

    /** How many threads are beginning something at this moment; the one that gives up lets them finish. */
    private volatile int beginning;

    private Deadline(Ticker ticker, long end, @Nullable Deadline whole) {
        this.ticker = ticker;
        this.end = end;
        this.whole = whole;
    }

    /** Returns the deadline that lies this far ahead. */
    public static Deadline after(Ticker ticker, Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        return new Deadline(ticker, ticker.nanos() + bounded.toNanos(), null);
    }

    /** Returns the deadline that lies this far behind an instant of the ticker, which is about now. */
    public static Deadline after(Ticker ticker, long startNanos, long nanos) {
        return new Deadline(ticker, startNanos + Math.min(nanos, LONGEST_NANOS), null);
    }

    /** Returns the deadline of what goes on for as long as it takes. */
    static Deadline never() {
        return after(new SystemTicker(), LONGEST);
    }

    /** Returns the deadline of a step of the same call, which may take this long: who gives up the call gives up the step. */
    public Deadline part(Duration duration) {
        return new Deadline(ticker, ticker.nanos() + duration.toNanos(), whole());
    }

    private Deadline whole() {
        return whole == null ? this : whole;
    }

    /** Returns whether there is no time left, or the caller has given up. */
    public boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Returns how much time is left; 0 or less after the deadline, and once the caller has given up. */
    public long remainingNanos() {
        long remaining = end - ticker.nanos();
        return whole().givenUp ? Math.min(remaining, 0) : remaining;
    }

    /**
     * Begins something for the call unless it was given up; returns what is begun, or else the other one.
     *
     * @param step neither throws nor blocks
     */
    public <T> T begin(Supplier<T> step, Supplier<T> otherwise) {
        Deadline call = whole();
        BEGINNING.incrementAndGet(call);
        try {
            return call.givenUp ? otherwise.get() : step.get();
        } finally {
            BEGINNING.decrementAndGet(call);
        }
    }

    /**
     * Says that nobody is interested any more: nothing is begun from now on. What another thread is just beginning has been
     * begun when this returns.
     */
    public void giveUp() {
        Deadline call = whole();
        call.givenUp = true;
        while (call.beginning > 0) {
            Thread.onSpinWait(); // a step only hands something over; whoever begins now sees that it was given up
        }
    }
}
