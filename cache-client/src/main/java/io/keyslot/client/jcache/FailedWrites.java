// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.partition.EncodedKey;
import java.util.List;

/**
 * Decides what becomes of a put or remove that did not reach its partition. If the writer has done its part, or the policy
 * is to go on, the cache's copy is out of date: it is deleted, now or before the partition is used again.
 */
final class FailedWrites<K, V> {
    private final CacheParts<K, V> parts;

    FailedWrites(CacheParts<K, V> parts) {
        this.parts = parts;
    }

    /** Returns whether such a write is a success for the caller. */
    boolean areJournaled() {
        return parts.missingPartitionWrites() == MissingPartitionWritePolicy.JOURNAL;
    }

    /** Throws the failure unless the policy is to go on. */
    void tell(List<EncodedKey> keys, KeyslotException failure) {
        if (areJournaled()) {
            parts.store().forget(keys);
            return;
        }
        forgetWritten(keys);
        throw failure;
    }

    /** Has the copies deleted if the writer has done its part. */
    void forgetWritten(List<EncodedKey> keys) {
        if (parts.writer().isOn()) {
            parts.store().forget(keys);
        }
    }
}
