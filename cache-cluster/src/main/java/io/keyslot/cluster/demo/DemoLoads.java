// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;

/** How often the system of record was asked on behalf of one cache. Safe for use by several threads. */
final class DemoLoads {
    private final LongAdder all = new LongAdder();
    private final LongAdder duringOutage = new LongAdder();
    private volatile IntPredicate missing = slot -> false;

    /** Counts a load for a key of this slot. */
    void add(int slot) {
        all.increment();
        if (missing.test(slot)) {
            duringOutage.increment();
        }
    }

    /** Says which slots cannot be asked from now on. */
    void missing(IntPredicate slots) {
        missing = slots;
    }

    long all() {
        return all.sum();
    }

    /** Returns the loads for keys whose slot could not be asked. */
    long duringOutage() {
        return duringOutage.sum();
    }
}
