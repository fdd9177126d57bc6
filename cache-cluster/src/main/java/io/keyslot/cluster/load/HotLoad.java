// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

/**
 * A key that clients read often, of a minute.
 *
 * @param cache the name that clients give its cache
 * @param key its text, as the instances have it
 * @param slot of the key
 * @param reads about how often it is read; what clients do that do not name it is not in it
 * @param error by how much that may be wrong for those that do
 * @param clients how many do
 */
public record HotLoad(String cache, String key, int slot, long reads, long error, int clients) {
    HotLoad plus(HotLoad other) {
        return new HotLoad(cache, key, slot, reads + other.reads, error + other.error, clients + other.clients);
    }
}
