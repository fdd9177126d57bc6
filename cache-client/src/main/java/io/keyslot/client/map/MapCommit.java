// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Who made a map, and why.
 *
 * @param operation tells whether an attempt whose answer was lost has been made after all; unique for each attempt to
 *     change something
 * @param actor who it was, for people
 * @param reason what for, for people; may be empty
 * @param at when, by the clock of the one who made it, to the millisecond; for people
 */
public record MapCommit(String operation, String actor, String reason, Instant at) {
    /** The most characters of an operation. */
    public static final int LONGEST_OPERATION = 64;

    /** The most characters of an actor. */
    public static final int LONGEST_ACTOR = 128;

    /** The most characters of a reason. */
    public static final int LONGEST_REASON = 512;

    /** Of the map that every client computes from its configuration. */
    public static final MapCommit CONFIGURED = new MapCommit("configured", "configuration", "", Instant.EPOCH);

    public MapCommit {
        check("operation", operation, 1, LONGEST_OPERATION);
        check("actor", actor, 1, LONGEST_ACTOR);
        check("reason", reason, 0, LONGEST_REASON);
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    private static void check(String name, String text, int least, int most) {
        if (text.length() < least || text.length() > most) {
            throw new IllegalArgumentException("The %s of a change has %d characters: must have from %d to %d"
                    .formatted(name, text.length(), least, most));
        }
    }
}
