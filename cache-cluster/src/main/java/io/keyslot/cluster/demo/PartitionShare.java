// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.slot.PartitionId;

/**
 * What one partition holds.
 *
 * @param partition which one
 * @param address where it is
 * @param slots how many hash slots it owns
 * @param customers the entries of each cache
 * @param products the same
 * @param sales the same
 * @param bytes the bytes of all values with their envelopes, projected from a sample
 */
record PartitionShare(
        PartitionId partition, String address, int slots, long customers, long products, long sales, long bytes) {
    long entries() {
        return customers + products + sales;
    }
}
