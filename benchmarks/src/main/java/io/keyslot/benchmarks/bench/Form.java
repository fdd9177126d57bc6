// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.List;

/** What a run measures unless options say otherwise. */
record Form(
        List<Operation> operations,
        List<ValueSize> values,
        List<KeyChoice> keys,
        List<Integer> threads,
        List<Integer> threadsOfGet,
        int rounds,
        int seconds) {
    /** A first look: less than 5 minutes on 2 processors. */
    static final Form SHORT = new Form(
            List.of(Operation.GET, Operation.PUT, Operation.GET_ALL, Operation.PUT_ALL, Operation.INVOKE),
            List.of(ValueSize.BYTES_200),
            List.of(KeyChoice.UNIFORM),
            List.of(8),
            List.of(8, 1),
            1,
            1);

    /** Everything, with medians: hours. */
    static final Form FULL = new Form(
            List.of(Operation.values()),
            List.of(ValueSize.values()),
            List.of(KeyChoice.values()),
            List.of(8, 1, 64),
            List.of(8, 1, 64),
            5,
            2);

    /** Returns how many threads call this operation at the same time, one measurement for each number. */
    List<Integer> threads(Operation operation) {
        return operation == Operation.GET ? threadsOfGet : threads;
    }
}
