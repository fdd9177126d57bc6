// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.config.GroupLimits;

/** Enforces the limits of one run of a transaction's work. An operation is a change, or the first read of a key. */
final class TransactionMeter {
    private final String root;
    private final GroupLimits limits;
    private int operations;
    private long bytes;

    TransactionMeter(String root, GroupLimits limits) {
        this.root = root;
        this.limits = limits;
    }

    void operations(int count) {
        operations += count;
        if (operations > limits.transactionOperations()) {
            throw new LimitExceededException(
                    "Group %s: a transaction has %d operations, the limit is %d; split it, or raise groups.transactionOperations"
                            .formatted(root, operations, limits.transactionOperations()));
        }
    }

    void bytes(long count) {
        bytes += count;
        if (bytes > limits.transactionBytes()) {
            throw new LimitExceededException(
                    "Group %s: a transaction reads and changes %d bytes, the limit is %d; split it, or raise groups.transactionBytes"
                            .formatted(root, bytes, limits.transactionBytes()));
        }
    }
}
