// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.stored.EncodedKey;

/**
 * A key that is read as near copies are, and written, to find out whether the partition tells of it. Whatever a near cache needs of
 * the server's user is asked for by the read. Safe for use by several threads.
 */
final class NearProbe {
    private final EncodedKey key;
    private final long sentAt;
    private boolean isAnswered; // guarded by this
    private boolean isPublished; // guarded by this
    private boolean hasFailed; // guarded by this

    /** @param sentAt before it was */
    NearProbe(EncodedKey key, long sentAt) {
        this.key = key;
        this.sentAt = sentAt;
    }

    EncodedKey key() {
        return key;
    }

    long sentAt() {
        return sentAt;
    }

    /** The read was answered. Returns whether all is well by that. */
    synchronized boolean answered() {
        isAnswered = true;
        return isPublished;
    }

    /** The write was told. Returns whether all is well by that. */
    synchronized boolean told() {
        isPublished = true;
        return isAnswered;
    }

    /** Notes that it was refused, or not told in time. Returns whether that is news. */
    synchronized boolean fail() {
        boolean isChange = !hasFailed;
        hasFailed = true;
        return isChange;
    }
}
