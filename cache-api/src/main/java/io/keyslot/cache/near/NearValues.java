// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

/** What a caller gets of a value that a near cache holds. */
public enum NearValues {
    /**
     * An object of its own, decoded from the bytes at each hit, as JCache's store-by-value demands. Values whose class is known
     * to be unchangeable, such as {@code String}, {@code Long}, {@code java.time} and records of such, are shared all the
     * same: nobody could tell. The default.
     */
    COPY,
    /**
     * The same object as every other caller, which costs neither time nor memory at a hit. By this the application gives its
     * word that nobody changes a value of the cache: whoever does changes it for all callers of this process, and for nobody
     * else.
     */
    SHARED
}
