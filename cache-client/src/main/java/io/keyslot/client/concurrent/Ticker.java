// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

/** A clock. Thread-safe. */
public interface Ticker {
    /**
     * Returns nanoseconds since an arbitrary instant; only differences are meaningful, and the value may wrap around.
     */
    long nanos();

    /**
     * Returns milliseconds since 1970 by the wall clock, which may jump and differs between machines. For exchange
     * between processes; correctness must not depend on it.
     */
    long epochMillis();
}
