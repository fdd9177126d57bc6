// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import java.time.Duration;

/** The instant, by a {@link Ticker}, at which a call gives up. Set once, at the door, and handed down. Immutable. */
public final class Deadline {
    /** A century: longer is not told apart, so that differences never overflow. */
    private static final Duration LONGEST = Duration.ofDays(36_525);

    private static final long LONGEST_NANOS = LONGEST.toNanos();

    private final Ticker ticker;
    private final long end;

    private Deadline(Ticker ticker, long end) {
        this.ticker = ticker;
        this.end = end;
    }

    /** Returns the deadline that lies this far ahead. */
    public static Deadline after(Ticker ticker, Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        return new Deadline(ticker, ticker.nanos() + bounded.toNanos());
    }

    /** Returns the deadline that lies this far behind an instant of the ticker, which is about now. */
    public static Deadline after(Ticker ticker, long startNanos, long nanos) {
        return new Deadline(ticker, startNanos + Math.min(nanos, LONGEST_NANOS));
    }

    /** Returns whether there is no time left. */
    public boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Returns how much time is left; negative after the deadline. */
    public long remainingNanos() {
        return end - ticker.nanos();
    }
}
