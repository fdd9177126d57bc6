// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapCommit;

/**
 * A change that was made.
 *
 * @param version of the map after it; that of the change before if only those who decide on the map have changed
 * @param operation its id
 * @param at when, empty if that is not known
 * @param actor who made it, empty if that is not known
 * @param reason why, may be empty
 */
public record MapChange(long version, String operation, String at, String actor, String reason) {
    private static final String SEPARATOR = "\t";

    /** Creates a change of which nothing else is known. */
    public MapChange(long version, String operation) {
        this(version, operation, "", "", "");
    }

    /** Returns what {@link #of} reads. */
    static String about(MapCommit commit) {
        return String.join(SEPARATOR, commit.at().toString(), commit.actor(), commit.reason());
    }

    /** Returns a change, with what was written about it; the end of that may be missing. */
    static MapChange of(long version, String operation, String about) {
        String[] parts = (about + SEPARATOR + SEPARATOR).split(SEPARATOR, -1);
        return new MapChange(version, operation, parts[0], parts[1], parts[2]);
    }
}
