// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/** Which instances without an identity record a client may mark as its own. */
public enum Adoption {
    /** None. The client only reads. */
    NEVER,
    /** Those that are empty or hold only keys of Keyslot. */
    UNUSED,
    /** Also those that hold foreign keys, which the client leaves alone. */
    ALWAYS
}
