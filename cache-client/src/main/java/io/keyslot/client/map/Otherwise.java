// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** What becomes of a root key that no entry of its placement names. */
public enum Otherwise {
    /** It has the slot that its text hashes to. */
    HASH,

    /** It has no slot: whoever asks for it is told so. */
    REFUSE
}
