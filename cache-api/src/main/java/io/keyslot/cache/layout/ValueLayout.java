// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.layout;

/** How the value of an entry is stored. */
public enum ValueLayout {
    /** An envelope followed by the encoded value. The default. */
    KEYSLOT,
    /**
     * The encoded value only, so that other programs can read and write it.
     *
     * <p>Without an envelope, an entry of an earlier incarnation of its partition is served, conditional changes
     * compare the bytes of values, a lost answer of a conditional change is an unknown outcome, and a load is shared
     * within one process only. Options that need the envelope are refused.
     */
    RAW
}
