// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

/** A clock. Safe for use by several threads. */
public interface Ticker {
    /** Returns the nanoseconds since some fixed instant; only differences mean something, and they may wrap around. */
    long nanos();

    /**
     * Returns the milliseconds since 1970, by the clock on the wall, which may jump and differs between machines: for what
     * processes tell each other, and for nothing that must hold.
     */
    long epochMillis();
}
