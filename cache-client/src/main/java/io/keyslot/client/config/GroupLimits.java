// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The limits of groups and group transactions.
 *
 * @param entries the entries and aggregates of one group, above which it is reported; 100,000 by default
 * @param bytes the bytes of one group, see {@link io.keyslot.cache.GroupSize#bytes}; 256 MiB by default
 * @param transactionOperations the operations of one transaction, reads and changes; 100 by default
 * @param transactionBytes the bytes that one transaction reads and changes; 4 MiB by default
 */
public record GroupLimits(long entries, long bytes, int transactionOperations, int transactionBytes) {
    private static final int MOST_OPERATIONS = 10_000;
    private static final int MOST_BYTES = 512 * 1024 * 1024;

    public GroupLimits {
        List<String> problems = new ArrayList<>();
        check(problems, "entries", entries, Long.MAX_VALUE);
        check(problems, "bytes", bytes, Long.MAX_VALUE);
        check(problems, "transactionOperations", transactionOperations, MOST_OPERATIONS);
        check(problems, "transactionBytes", transactionBytes, MOST_BYTES);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Group limits: " + String.join("; ", problems));
        }
    }

    private static void check(List<String> problems, String name, long value, long most) {
        if (value < 1 || value > most) {
            problems.add("%s is %d, must be from 1 to %d".formatted(name, value, most));
        }
    }

    public static GroupLimits defaults() {
        return new GroupLimits(100_000, 256L * 1024 * 1024, 100, 4 * 1024 * 1024);
    }
}
