// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** The treatment of a root key without an entry in its placement. */
public enum Otherwise {
    HASH,

    REFUSE
}
