// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.hot;

/**
 * A key that is read often.
 *
 * @param key the key
 * @param reads about how often it was read; never negative
 * @param error by how much that may be wrong: too high, as a key takes over what the one had that it has replaced, or off in
 *     both directions, where only some of the reads are counted. It holds for 19 of 20 keys, and for all as long as each
 *     read is counted
 */
public record HotKey<K>(K key, long reads, long error) {
    public HotKey {
        if (reads < 0 || error < 0) {
            throw new IllegalArgumentException("Reads and error are never negative");
        }
    }
}
