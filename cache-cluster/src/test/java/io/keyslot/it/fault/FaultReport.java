// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

/** The figures of a run, for the documents: one line of the test's output for each. */
final class FaultReport {
    private FaultReport() {}

    static void print(String fault, long seed, Object figures) {
        System.out.printf("FAULT %s (seed %d): %s%n", fault, seed, figures);
    }
}
