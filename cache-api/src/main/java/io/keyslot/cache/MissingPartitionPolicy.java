// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * The result of {@code get} and {@code getAll} for a key whose partition cannot be reached. Operations that decide
 * ({@code containsKey}, {@code putIfAbsent}, {@code replace} and the like) always fail, and so does {@code invoke},
 * unless the {@link MissingPartitionWritePolicy} says otherwise.
 */
public enum MissingPartitionPolicy {
    /** The cache loader is called; its value is returned and not stored. The default of a read-through cache. */
    LOADER,
    /** The read is a miss. The default without read-through. */
    MISS,
    /** The call throws {@link io.keyslot.cache.failure.PartitionUnavailableException}. */
    FAIL
}
