// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** What the stamp of an entry identifies. */
enum StampMeaning {
    /** The write: no two writes have the same stamp. */
    WRITE,
    /** The value: equal values have the same stamp. */
    VALUE
}
