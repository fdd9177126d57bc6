// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

/** What is measured of every contender. The labels are those of JMH's secondary results and of the JSON report. */
public enum Metric {
    /** Calls per second, of all threads together. */
    THROUGHPUT("throughput"),

    /** Microseconds within which half of the calls ended. */
    P50("p50"),

    /** Microseconds within which 99 of 100 calls ended. */
    P99("p99"),

    /** Microseconds within which 999 of 1,000 calls ended. */
    P999("p99.9"),

    /** Microseconds of CPU for each call, of the process that calls. */
    CLIENT_CPU("cpu.client"),

    /** Microseconds of CPU for each call, of all servers together. */
    SERVER_CPU("cpu.server"),

    /** Bytes allocated for each call by the process that calls. */
    ALLOCATED("alloc");

    private final String label;

    Metric(String label) {
        this.label = label;
    }

    /** Returns the name in reports and in JMH's results. */
    public String label() {
        return label;
    }
}
