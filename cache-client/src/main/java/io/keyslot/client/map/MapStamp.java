// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/**
 * Which map of all maps.
 *
 * @param generation the succession that it belongs to
 * @param version from 1, one more than that of the map that it was made from
 */
public record MapStamp(Generation generation, long version) {
    /** Beyond this, scripts of an instance and readers of JSON would round. */
    public static final long HIGHEST_VERSION = 1L << 53;

    public MapStamp {
        if (version < 1 || version > HIGHEST_VERSION) {
            throw new IllegalArgumentException("Version %d of a map: must be from 1 to 2^53".formatted(version));
        }
    }

    /** Returns whether a map with this stamp replaces one with the other: never if both began as equals. */
    public boolean isNewerThan(MapStamp other) {
        return generation.number() > other.generation.number()
                || (generation.equals(other.generation) && version > other.version);
    }

    /** Returns whether two operators began a generation at once: neither map replaces the other. */
    public boolean isRivalOf(MapStamp other) {
        return generation.number() == other.generation.number() && !generation.equals(other.generation);
    }

    /** Returns the stamp of the next map of the same generation. */
    public MapStamp next() {
        return new MapStamp(generation, version + 1);
    }

    /** Returns {@code 1-8f3a/17}. */
    @Override
    public String toString() {
        return generation + "/" + version;
    }
}
