// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What is where.
 *
 * @param shares what each partition holds, in the order of the slot map
 * @param strayedSales the sales that are not in their customer's slot, which must be none
 * @param lostEntries customers, products and sales that were replayed and are not there, which must be none
 */
record Distribution(List<PartitionShare> shares, long strayedSales, long lostEntries) {
    Distribution {
        shares = List.copyOf(shares);
    }

    /** Returns the largest share divided by the mean share: 1 if all are the same; 1 also if there is nothing. */
    double skew(ToLongFunction<PartitionShare> measure) {
        long total = total(measure);
        long largest = shares.stream().mapToLong(measure).max().orElse(0);
        return total == 0 ? 1 : (double) largest * shares.size() / total;
    }

    /** Returns the sum over all partitions. */
    long total(ToLongFunction<PartitionShare> measure) {
        return shares.stream().mapToLong(measure).sum();
    }
}
