// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

/** A clock for lengths of time, unrelated to the time of day. */
@FunctionalInterface
public interface Ticker {
    /** Returns the nanoseconds since some fixed instant; only differences mean something, and they may wrap around. */
    long nanos();
}
