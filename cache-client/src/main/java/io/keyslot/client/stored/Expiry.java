// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.time.Duration;

/**
 * When an entry expires, relative to the moment at which the partition executes the command.
 *
 * @param millis at least 1; {@code Long.MAX_VALUE} for never, as are more than a thousand years; 0 to leave it as it is
 */
public record Expiry(long millis) {
    /** The entry does not expire. */
    public static final Expiry NEVER = new Expiry(Long.MAX_VALUE);

    /** The entry expires when it would have; a new one does not expire. */
    public static final Expiry UNCHANGED = new Expiry(0);

    /** Longer than this counts as never: servers keep the instant in 64 bits. */
    private static final long LONGEST = 1_000L * 365 * 24 * 3_600_000;

    public Expiry {
        if (millis < 0) {
            throw new IllegalArgumentException("expiry is %d ms, must be at least 1".formatted(millis));
        }
        millis = millis > LONGEST ? Long.MAX_VALUE : millis;
    }

    /** Returns an expiry after this many milliseconds, at least 1; never if it is more than a thousand years. */
    public static Expiry afterMillis(long millis) {
        if (millis < 1) {
            throw new IllegalArgumentException("expiry is %d ms, must be at least 1".formatted(millis));
        }
        return new Expiry(millis);
    }

    /**
     * Returns an expiry after this time, rounded up to a millisecond.
     *
     * @throws IllegalArgumentException if it is not more than zero
     */
    public static Expiry after(Duration timeToLive) {
        if (timeToLive.isNegative() || timeToLive.isZero()) {
            throw new IllegalArgumentException("timeToLive is %s, must be more than zero".formatted(timeToLive));
        }
        boolean beyondLong = timeToLive.toSeconds() > Long.MAX_VALUE / 1000 - 1;
        return beyondLong ? NEVER : afterMillis(timeToLive.plusNanos(999_999).toMillis());
    }

    public boolean isNever() {
        return millis == Long.MAX_VALUE;
    }

    public boolean isUnchanged() {
        return millis == 0;
    }
}
