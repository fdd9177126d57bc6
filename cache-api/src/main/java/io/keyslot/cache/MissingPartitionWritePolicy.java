// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * What {@code put}, {@code putAll}, {@code remove}, {@code removeAll} and {@code clear} do if the partition of a key
 * cannot be asked or does not answer. Operations whose answer is a decision ({@code putIfAbsent}, {@code replace}, {@code getAndPut} and the
 * like) always fail; {@code invoke} and {@code invokeAll} do unless the policy is {@link #JOURNAL}.
 */
public enum MissingPartitionWritePolicy {
    /** The call throws. The default. */
    FAIL,
    /**
     * The call returns. The new value is not stored, and the old one is deleted before this process uses the partition
     * again. For applications that only cache data that is stored elsewhere: until then, processes that still reach the
     * partition may read the old value.
     *
     * <p>{@code clear} returns too, and without a writer {@code removeAll()}: this process removes the entries of the
     * missing partition in the background as soon as it can, without events, and does not read them until then.
     *
     * <p>An entry processor runs too, and finds no entry; a value that it sets is treated as a put. Do not use this
     * policy with a processor that counts, locks or limits. {@code invoke} fails where reads of a missing partition
     * fail, or with a loader or a writer.
     */
    JOURNAL
}
