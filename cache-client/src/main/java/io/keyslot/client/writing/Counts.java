// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.concurrent.atomic.LongAdder;

/** The counts of a write-behind queue. Thread-safe. */
final class Counts {
    private final LongAdder written = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    void add(Settled<?> settled) {
        written.add(settled.written());
        retried.add(settled.retried());
        dropped.add(settled.dropped());
    }

    void dropped(int count) {
        dropped.add(count);
    }

    long written() {
        return written.sum();
    }

    long retried() {
        return retried.sum();
    }

    long dropped() {
        return dropped.sum();
    }
}
