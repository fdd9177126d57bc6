// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** The event from which the {@code ttl} of a cache is measured: the expiry policies of JCache. */
public enum ExpiryKind {
    /** Entries do not expire. */
    ETERNAL,
    CREATED,
    MODIFIED,
    ACCESSED,
    TOUCHED;

    public boolean movesWithAccess() {
        return this == ACCESSED || this == TOUCHED;
    }
}
