// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.stored.EncodedKey;

/**
 * A key that is read with tracking and then written, to check whether the partition reports changes. The read needs the
 * same server rights as near caches. Thread-safe.
 */
final class NearProbe {
    private final EncodedKey key;
    private final long sentAt;
    private boolean isAnswered; // guarded by this
    private boolean isPublished; // guarded by this
    private boolean hasFailed; // guarded by this

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

    synchronized boolean answered() {
        isAnswered = true;
        return isPublished;
    }

    synchronized boolean told() {
        isPublished = true;
        return isAnswered;
    }

    /** Records a refusal or timeout. Returns whether it is the first. */
    synchronized boolean fail() {
        boolean isChange = !hasFailed;
        hasFailed = true;
        return isChange;
    }
}
