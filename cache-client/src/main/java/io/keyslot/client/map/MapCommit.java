// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The origin of a map. The operation is unique for each attempt, and tells whether an attempt without an answer
 * succeeded; the rest is for people: who made it, why (may be empty), and when, by the maker's clock.
 */
public record MapCommit(String operation, String actor, String reason, Instant at) {
    public static final int LONGEST_OPERATION = 64;

    public static final int LONGEST_ACTOR = 128;

    public static final int LONGEST_REASON = 512;

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
