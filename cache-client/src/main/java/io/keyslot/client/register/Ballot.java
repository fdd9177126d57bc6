// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.regex.Pattern;

/**
 * The number of one attempt to change a register. Its text starts with a fixed width, so that servers can compare
 * texts: 16 digits, a dash, and the globally unique id of the proposer's process. The empty text is lower than all
 * others.
 */
public record Ballot(String text) implements Comparable<Ballot> {
    private static final int WIDTH = 16;
    private static final Pattern TEXT = Pattern.compile("(\\d{16}-[a-z0-9]{1,32})?");

    /** The highest counter that is accepted from an instance; it leaves room for higher ones. */
    private static final long MOST_SHOWN = 8_999_999_999_999_999L;

    /** The maximum distance between the counters of clients that do not know of each other. */
    private static final long REACH = 1_000_000_000;

    public static final Ballot NONE = new Ballot("");

    public Ballot {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException("no ballot of a register");
        }
    }

    /** Parses the text of an instance; throws an {@link IllegalArgumentException} if no client can have issued it. */
    public static Ballot shown(String text) {
        Ballot ballot = new Ballot(text);
        if (ballot.counter() > MOST_SHOWN) {
            throw new IllegalArgumentException("the ballot is out of reach: it is not that of a client");
        }
        return ballot;
    }

    static Ballot of(long counter, String proposer) {
        String digits = Long.toString(counter);
        return new Ballot("0".repeat(WIDTH - digits.length()) + digits + "-" + proposer);
    }

    /** Returns the counter, 0 for none. */
    long counter() {
        return text.isEmpty() ? 0 : Long.parseLong(text.substring(0, WIDTH));
    }

    boolean isInReachOf(long highest) {
        return counter() <= highest + REACH;
    }

    @Override
    public int compareTo(Ballot other) {
        return text.compareTo(other.text);
    }
}
