// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.register.Generation;

/** Identifies a map: its generation and its version, which starts at 1 and is one more than that of its predecessor. */
public record MapStamp(Generation generation, long version) {
    /** Scripts of an instance and JSON readers would round higher numbers. */
    public static final long HIGHEST_VERSION = 1L << 53;

    public MapStamp {
        if (version < 1 || version > HIGHEST_VERSION) {
            throw new IllegalArgumentException("Version %d of a map: must be from 1 to 2^53".formatted(version));
        }
    }

    /** Returns whether a map with this stamp replaces one with the other; false for rivals. */
    public boolean isNewerThan(MapStamp other) {
        return generation.number() > other.generation.number()
                || (generation.equals(other.generation) && version > other.version);
    }

    /** Returns whether two operators started these generations at once, so that neither map replaces the other. */
    public boolean isRivalOf(MapStamp other) {
        return generation.number() == other.generation.number() && !generation.equals(other.generation);
    }

    public MapStamp next() {
        return new MapStamp(generation, version + 1);
    }

    @Override
    public String toString() {
        return generation + "/" + version;
    }
}
