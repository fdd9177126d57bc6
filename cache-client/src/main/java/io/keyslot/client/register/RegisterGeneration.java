// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which beginning of a register a value comes from. Only an operator makes one: at the first change, and when a majority of
 * the electors is lost. Values of two generations are told apart by their numbers; two of one number are of two operators who
 * began at the same time, and neither is the newer one.
 *
 * @param number at least 1
 * @param random letters and digits
 */
public record RegisterGeneration(long number, String random) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})-([a-z0-9]{1,32})");

    /** What an instance shows has no more digits: there are enough after it. */
    private static final int MOST_SHOWN_DIGITS = 14;

    /** No operator has begun so many generations that were never heard of. */
    private static final long REACH = 1_000;

    public RegisterGeneration {
        if (number < 1 || !TEXT.matcher(number + "-" + random).matches()) {
            throw new IllegalArgumentException("a generation is a number from 1, and a random text");
        }
    }

    /** Reads what {@link #toString} gives. */
    public static RegisterGeneration parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches() || parts.end(1) > MOST_SHOWN_DIGITS) {
            throw new IllegalArgumentException("no generation of a register");
        }
        return new RegisterGeneration(Long.parseLong(parts.group(1)), parts.group(2));
    }

    /** Returns the generation after this one. */
    public RegisterGeneration next(String itsRandom) {
        return new RegisterGeneration(number + 1, itsRandom);
    }

    /** Returns whether this one is later, and an operator who knows the other one may have begun it. */
    boolean isInReachAfter(RegisterGeneration known) {
        return number > known.number && number <= known.number + REACH;
    }

    @Override
    public String toString() {
        return number + "-" + random;
    }
}
