// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies the start of a register from which a value, such as a map, descends. Only an operator creates one: for the first change,
 * and when a majority of the voters is lost. Generations are ordered by number; two with the same number come from two
 * concurrent operators, and neither is newer. The random part has letters and digits.
 */
public record Generation(long number, String random) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})-([a-z0-9]{1,32})");

    /** The maximum digits that are accepted from an instance; they leave room for higher numbers. */
    private static final int MOST_SHOWN_DIGITS = 14;

    /** The maximum number of generations that may have been started without a known trace. */
    private static final long REACH = 1_000;

    /** The generation of a map that is computed from the configuration, before there is a register. */
    public static final Generation CONFIGURED = new Generation(0, "configured");

    public Generation {
        if ((number < 1 && !random.equals("configured"))
                || number < 0
                || !TEXT.matcher(number + "-" + random).matches()) {
            throw new IllegalArgumentException("Generation: must be a number from 1, and a random text");
        }
    }

    public static Generation parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches() || parts.end(1) > MOST_SHOWN_DIGITS) {
            throw new IllegalArgumentException("Generation: must be a number, a dash and a random text");
        }
        return new Generation(Long.parseLong(parts.group(1)), parts.group(2));
    }

    public Generation next(String itsRandom) {
        return new Generation(number + 1, itsRandom);
    }

    /** Returns whether this one is later, and an operator who knows the other one may have created it. */
    boolean isInReachAfter(Generation known) {
        return number > known.number && number <= known.number + REACH;
    }

    @Override
    public String toString() {
        return number + "-" + random;
    }
}
