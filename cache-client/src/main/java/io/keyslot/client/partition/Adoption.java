// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/** Which instances without a record of Keyslot a client marks as its own. */
public enum Adoption {
    /** None: the client only looks. */
    NEVER,
    /** Those that hold nothing, or nothing but what Keyslot has stored. */
    UNUSED,
    /** Those that hold data of strangers too, which it leaves alone. */
    ALWAYS
}
