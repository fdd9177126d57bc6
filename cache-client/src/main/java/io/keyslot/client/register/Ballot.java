// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.regex.Pattern;

/**
 * The number of one attempt to change a register. Its text has a fixed width in front, so that a server can compare texts.
 *
 * @param text 16 digits, a dash, and the id of the proposer's process, which no other process ever has; empty for none,
 *     which is lower than all
 */
public record Ballot(String text) implements Comparable<Ballot> {
    private static final int WIDTH = 16;
    private static final Pattern TEXT = Pattern.compile("(\\d{16}-[a-z0-9]{1,32})?");

    /** What an instance shows is lower: there are enough above it for whoever follows. */
    private static final long MOST_SHOWN = 8_999_999_999_999_999L;

    /** Clients that have heard nothing of each other are not so far apart. */
    private static final long REACH = 1_000_000_000;

    /** No ballot. */
    public static final Ballot NONE = new Ballot("");

    public Ballot {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException("no ballot of a register");
        }
    }

    /**
     * Reads what an instance shows.
     *
     * @throws IllegalArgumentException if no client can have given it
     */
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

    /** Returns the number in front, 0 for none. */
    long counter() {
        return text.isEmpty() ? 0 : Long.parseLong(text.substring(0, WIDTH));
    }

    /** Returns whether a client that has heard of this counter may hear of this ballot next. */
    boolean isInReachOf(long heard) {
        return counter() <= heard + REACH;
    }

    @Override
    public int compareTo(Ballot other) {
        return text.compareTo(other.text);
    }
}
