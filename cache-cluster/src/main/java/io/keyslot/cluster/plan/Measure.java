// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/** What partitions are to have equal shares of. */
public enum Measure {
    /** Entries. */
    KEYS,

    /** What they take. */
    BYTES,

    /** How often they are asked for. */
    CALLS
}
