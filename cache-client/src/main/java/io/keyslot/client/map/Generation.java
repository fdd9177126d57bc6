// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The sequence of versions that a map belongs to. A new one, with a higher number, begins when the catalogue is set up,
 * and when it is recovered after a loss. The id, 1 to 64 letters, digits and dashes, distinguishes generations that two
 * operators started at once.
 */
public record Generation(long number, String id) implements Comparable<Generation> {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final Pattern TEXT = Pattern.compile("(?<number>[0-9]{1,15})-(?<id>.+)");
    private static final Comparator<Generation> ORDER =
            Comparator.comparingLong(Generation::number).thenComparing(Generation::id);

    public static final Generation CONFIGURED = new Generation(0, "configured");

    public Generation {
        if (number < 0 || !ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "Generation: must be a number from 0, and 1 to 64 letters, digits and dashes");
        }
    }

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

    @Override
    public String toString() {
        return number + "-" + id;
    }
}
