// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** What the stamp of an entry says. */
public enum StampMeaning {
    /** Which write it was: no two have the same. */
    WRITE,
    /** The value: equal values have the same stamp. */
    VALUE
}
