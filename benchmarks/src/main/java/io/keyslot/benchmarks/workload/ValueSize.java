// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.List;
import java.util.stream.IntStream;

/** How large the values are, encoded. */
public enum ValueSize {
    BYTES_200(111),
    KIB_8(8_102);

    /** Enough that they do not all stay in the caches of a processor, few enough to be made at once. */
    private static final int SAMPLES = 1_024;

    private final int lengthOfNotes;

    ValueSize(int lengthOfNotes) {
        this.lengthOfNotes = lengthOfNotes;
    }

    /** Makes the values that are stored, again and again under different keys. */
    public List<EncodedCustomer> samples() {
        return IntStream.range(0, SAMPLES)
                .mapToObj(number -> new EncodedCustomer(Customer.sample(number, lengthOfNotes)))
                .toList();
    }
}
