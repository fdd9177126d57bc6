// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** From which moment on the {@code ttl} of a cache runs: the expiry policies of JCache. */
public enum ExpiryKind {
    /** There is none: entries do not expire. */
    ETERNAL,
    /** From the creation of the entry. */
    CREATED,
    /** From its creation or last update. */
    MODIFIED,
    /** From its creation or last access. */
    ACCESSED,
    /** From its creation, last access or last update. */
    TOUCHED;

    /** Returns whether reading an entry moves the moment of its expiry. */
    public boolean movesWithAccess() {
        return this == ACCESSED || this == TOUCHED;
    }
}
