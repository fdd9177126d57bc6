// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.time.Duration;

/**
 * When an entry expires, relative to the execution of the command.
 *
 * @param millis at least 1; {@code Long.MAX_VALUE} for never, and for more than a thousand years; 0 for unchanged
 */
public record Expiry(long millis) {
    public static final Expiry NEVER = new Expiry(Long.MAX_VALUE);

    /** An existing entry keeps its expiry; a new one does not expire. */
    public static final Expiry UNCHANGED = new Expiry(0);

    /** Longer durations count as never: servers store the instant in 64 bits. */
    private static final long LONGEST = 1_000L * 365 * 24 * 3_600_000;

    public Expiry {
        if (millis < 0) {
            throw new IllegalArgumentException("expiry is %d ms, must be at least 1".formatted(millis));
        }
        millis = millis > LONGEST ? Long.MAX_VALUE : millis;
    }

    public static Expiry afterMillis(long millis) {
        if (millis < 1) {
            throw new IllegalArgumentException("expiry is %d ms, must be at least 1".formatted(millis));
        }
        return new Expiry(millis);
    }

    /** Returns an expiry after this time, rounded up to a millisecond; throws unless it is more than zero. */
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
