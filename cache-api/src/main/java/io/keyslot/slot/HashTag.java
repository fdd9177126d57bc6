// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

/**
 * The part of a key that decides its slot: what stands between the first <code>{</code> and the first <code>}</code>
 * after it, if that is not empty; otherwise the whole key.
 *
 * @see <a href="https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags">Redis Cluster
 *     specification, hash tags</a>
 */
public final class HashTag {
    private HashTag() {}

    /** Returns the part of the key that is hashed. */
    public static String of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }
}
