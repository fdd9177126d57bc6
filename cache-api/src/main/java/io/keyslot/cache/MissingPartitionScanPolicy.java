// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/** What a {@linkplain PartitionedCache#scan scan} does if a partition cannot be reached. */
public enum MissingPartitionScanPolicy {
    /** The scan throws {@link io.keyslot.cache.failure.PartitionUnavailableException}. The default. */
    FAIL,
    /** The scan returns the entries of the other partitions, and {@link ScanResult#missing} names the partition. */
    PARTIAL
}
