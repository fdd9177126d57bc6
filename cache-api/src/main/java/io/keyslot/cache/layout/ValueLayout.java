// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.layout;

/** What stands under the key of an entry. */
public enum ValueLayout {
    /** A header of our own, and behind it the encoded value. The default. */
    KEYSLOT,
    /**
     * The encoded value and nothing else, so that other programs can read and write it.
     *
     * <p>What the header is for is lost with it: an entry of an earlier life of its partition is served, changes compare the
     * bytes of values, a lost answer of a conditional change is an unknown outcome, and a load is shared within one process
     * only. Options that need the header are refused.
     */
    RAW
}
