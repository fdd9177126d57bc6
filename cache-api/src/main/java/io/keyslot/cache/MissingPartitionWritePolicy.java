// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * What {@code put}, {@code putAll}, {@code remove} and {@code removeAll} do if the partition of a key cannot be asked or
 * does not answer. Operations whose answer is a decision ({@code putIfAbsent}, {@code replace}, {@code getAndPut} and the
 * like) always fail; {@code invoke} and {@code invokeAll} do unless the policy is {@link #JOURNAL}.
 */
public enum MissingPartitionWritePolicy {
    /** The call throws. The default. */
    FAIL,
    /**
     * The call returns. The new value is not stored, and the old one is deleted before the partition is used again by this
     * process. For applications whose data lives elsewhere and that only cache it here: until then, processes that still
     * reach the partition may see the old value.
     *
     * <p>An entry processor runs as well, and finds no entry; what it sets is treated as a put. A processor that counts,
     * locks or limits must not be used with this policy. Where reads of a missing partition fail, or with a loader or a
     * writer, {@code invoke} fails.
     */
    JOURNAL
}
