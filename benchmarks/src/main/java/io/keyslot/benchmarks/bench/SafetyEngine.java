// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.Locale;

/** Where the entries are whose gets are measured to find out what safety costs. */
enum SafetyEngine {
    /** On three servers, where a get takes as long as it does for an application. */
    SERVERS("keyslot-metered", 8),

    /** In the process: a get is so short that a hundredth of one on servers can be seen. */
    EMBEDDED("keyslot-embedded-metered", 1);

    private final String contender;
    private final int threads;

    SafetyEngine(String contender, int threads) {
        this.contender = contender;
        this.threads = threads;
    }

    /** Returns the name of the contender. */
    String contender() {
        return contender;
    }

    /** Returns the heading of its table. */
    String title() {
        return "%s, %s"
                .formatted(name().toLowerCase(Locale.ROOT), cell().workload().title());
    }

    Cell cell() {
        return new Cell(BenchOperation.GET, ValueSize.BYTES_200, KeyChoice.UNIFORM, threads);
    }
}
