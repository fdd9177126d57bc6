// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.List;
import java.util.stream.IntStream;

/** The encoded size of values. */
public enum ValueSize {
    BYTES_200(111),
    KIB_8(8_102);

    /** Enough not to fit the caches of a processor, and few enough to be created at once. */
    private static final int SAMPLES = 1_024;

    private final int lengthOfNotes;

    ValueSize(int lengthOfNotes) {
        this.lengthOfNotes = lengthOfNotes;
    }

    public List<EncodedCustomer> samples() {
        return IntStream.range(0, SAMPLES)
                .mapToObj(number -> new EncodedCustomer(Customer.sample(number, lengthOfNotes)))
                .toList();
    }
}
