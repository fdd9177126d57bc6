// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

/** The metrics. The labels are those of JMH's secondary results and of the JSON report. */
public enum Metric {
    /** Calls per second of all threads. */
    THROUGHPUT("throughput"),

    /** Median latency in microseconds. */
    P50("p50"),

    /** 99th percentile of latency in microseconds. */
    P99("p99"),

    /** 99.9th percentile of latency in microseconds. */
    P999("p99.9"),

    /** Microseconds of CPU per call of the calling process. */
    CLIENT_CPU("cpu.client"),

    /** Microseconds of CPU per call of all servers. */
    SERVER_CPU("cpu.server"),

    /** Bytes allocated per call by the calling process. */
    ALLOCATED("alloc");

    private final String label;

    Metric(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
