// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.config.GroupLimits;

/**
 * Counts what one run of a transaction's work reads and changes, and refuses what is beyond the limits.
 *
 * <p>An operation is a change, or the read of something that the run has not read or changed before: what it knows already
 * costs nothing. For use by one thread.
 */
final class TransactionMeter {
    private final String root;
    private final GroupLimits limits;
    private int operations;
    private long bytes;

    TransactionMeter(String root, GroupLimits limits) {
        this.root = root;
        this.limits = limits;
    }

    /** Counts operations, before anything is sent for them. */
    void operations(int count) {
        operations += count;
        if (operations > limits.transactionOperations()) {
            throw new LimitExceededException(
                    "Group %s: a transaction has %d operations, the limit is %d; split it, or raise groups.transactionOperations"
                            .formatted(root, operations, limits.transactionOperations()));
        }
    }

    /** Counts the bytes of what was read or is to be written. */
    void bytes(long count) {
        bytes += count;
        if (bytes > limits.transactionBytes()) {
            throw new LimitExceededException(
                    "Group %s: a transaction reads and changes %d bytes, the limit is %d; split it, or raise groups.transactionBytes"
                            .formatted(root, bytes, limits.transactionBytes()));
        }
    }
}
