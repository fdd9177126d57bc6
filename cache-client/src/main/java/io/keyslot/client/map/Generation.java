// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * Which succession of versions a map belongs to. A new one begins when the place where maps are agreed on is set up, and
 * when it is recovered after a loss.
 *
 * @param number of two generations the one with the higher number is the newer
 * @param id tells generations apart that two operators began at once; 1 to 64 letters, digits and dashes
 */
public record Generation(long number, String id) implements Comparable<Generation> {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final Pattern TEXT = Pattern.compile("(?<number>[0-9]{1,15})-(?<id>.+)");
    private static final Comparator<Generation> ORDER =
            Comparator.comparingLong(Generation::number).thenComparing(Generation::id);

    /** That of the map which every client computes from its configuration. */
    public static final Generation CONFIGURED = new Generation(0, "configured");

    public Generation {
        if (number < 0 || !ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "Generation: must be a number from 0, and 1 to 64 letters, digits and dashes");
        }
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static Generation parse(String text) {
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Generation: must be a number, a dash and an id");
        }
        return new Generation(Long.parseLong(parts.group("number")), parts.group("id"));
    }

    @Override
    public int compareTo(Generation other) {
        return ORDER.compare(this, other);
    }

    /** Returns {@code 1-8f3a}. */
    @Override
    public String toString() {
        return number + "-" + id;
    }
}
