// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * What {@code get} and {@code getAll} answer for a key whose partition cannot be asked. Operations whose answer is a
 * decision ({@code containsKey}, {@code putIfAbsent}, {@code replace} and the like) always fail, and so does {@code invoke},
 * unless the {@link MissingPartitionWritePolicy} says otherwise.
 */
public enum MissingPartitionPolicy {
    /** The cache loader answers; its value is returned and not stored. The default of a read-through cache. */
    LOADER,
    /** As if there were no entry. The default without read-through. */
    MISS,
    /** The call throws {@link io.keyslot.cache.failure.PartitionUnavailableException}. */
    FAIL
}
