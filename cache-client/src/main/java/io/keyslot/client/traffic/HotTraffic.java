// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

/**
 * How often one client has read a key of a cache during some time, by an estimate. It counts what near copies have answered, too.
 *
 * @param cache the name that the cache has there
 * @param key as the instances have it
 * @param slot of the key
 * @param reads about how often it was read
 * @param error by how much that may be wrong
 * @param ofAll about how often all keys of the cache were read there
 */
public record HotTraffic(String cache, String key, int slot, long reads, long error, long ofAll) {
    /** Longer ones, in characters, are not told. */
    public static final int LONGEST_KEY = 1_024;

    public HotTraffic {
        if (slot < 0 || reads < 0 || error < 0 || ofAll < 0) {
            throw new IllegalArgumentException("Nothing about a hot key is negative");
        }
    }
}
