// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of keys, values and batches. They are checked before any I/O; a violation is
 * {@link io.keyslot.cache.failure.LimitExceededException}.
 *
 * @param keyBytes the bytes of an entity key's text; 1,024 by default, at most 8,192
 * @param valueBytes the bytes of an encoded value with its envelope; 8 MiB by default, at most 512 MiB
 * @param batchKeys the keys of one bulk operation; 10,000 by default
 */
public record EntryLimits(int keyBytes, int valueBytes, int batchKeys) implements Serializable {
    private static final int LARGEST_KEY = 8 * 1024;
    private static final int LARGEST_VALUE = 512 * 1024 * 1024;

    public EntryLimits {
        List<String> problems = new ArrayList<>();
        check(problems, "keyBytes", keyBytes, 16, LARGEST_KEY);
        check(problems, "valueBytes", valueBytes, 64, LARGEST_VALUE);
        check(problems, "batchKeys", batchKeys, 1, 1_000_000);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Entry limits: " + String.join("; ", problems));
        }
    }

    private static void check(List<String> problems, String name, int value, int least, int most) {
        if (value < least || value > most) {
            problems.add("%s is %d, must be from %d to %d".formatted(name, value, least, most));
        }
    }

    public static EntryLimits defaults() {
        return new EntryLimits(1024, 8 * 1024 * 1024, 10_000);
    }

    public EntryLimits withKeyBytes(int bytes) {
        return new EntryLimits(bytes, valueBytes, batchKeys);
    }

    public EntryLimits withValueBytes(int bytes) {
        return new EntryLimits(keyBytes, bytes, batchKeys);
    }

    public EntryLimits withBatchKeys(int keys) {
        return new EntryLimits(keyBytes, valueBytes, keys);
    }
}
