// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * The values of a program. They are dates, as whoever has one can change it: each value that was given or taken is spoiled
 * afterwards, and nobody else may see that.
 */
@SuppressWarnings("JavaUtilDate") // that it can be changed is what it is for
final class Values {
    /** What a spoiled value is: nobody has stored it. */
    private static final long SPOILED = -7;

    private Values() {}

    static Date of(long number) {
        return new Date(number);
    }

    static long numberOf(Date value) {
        return value.getTime();
    }

    /** Returns what a value is, and spoils it. */
    static @Nullable Long taken(@Nullable Date value) {
        if (value == null) {
            return null;
        }
        long number = value.getTime();
        value.setTime(SPOILED);
        return number;
    }

    /** Spoils a value that was given, and fails if somebody else has done so. */
    static void takeBack(Date value, long number) {
        Long found = taken(value);
        if (found == null || found != number) {
            throw new AssertionError(
                    "A value was changed in the hands of its caller: %d is %d".formatted(number, found));
        }
    }
}
