// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapCommit;

/**
 * A change that was made, with the map version after it, which stays the same if only the voters change. Unknown texts
 * are empty.
 */
public record MapChange(long version, String operation, String at, String actor, String reason) {
    private static final String SEPARATOR = "\t";

    public MapChange(long version, String operation) {
        this(version, operation, "", "", "");
    }

    static String about(MapCommit commit) {
        return String.join(SEPARATOR, commit.at().toString(), commit.actor(), commit.reason());
    }

    /** Parses a text, whose end may be missing. */
    static MapChange of(long version, String operation, String about) {
        String[] parts = (about + SEPARATOR + SEPARATOR).split(SEPARATOR, -1);
        return new MapChange(version, operation, parts[0], parts[1], parts[2]);
    }
}
