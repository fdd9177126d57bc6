// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

/** What a caller receives of a value in a near cache. */
public enum NearValues {
    /**
     * A new object, decoded from the bytes at each hit, as JCache's store-by-value requires. Values of classes known to
     * be immutable, such as {@code String}, {@code Long}, {@code java.time} and records of these, are shared. The
     * default.
     */
    COPY,
    /**
     * The same object as every other caller, without the time and memory of decoding. The application guarantees that
     * values of the cache are never modified: a modification would be visible to all callers of this process, and to no
     * other process.
     */
    SHARED
}
