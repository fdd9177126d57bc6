// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.flight;

import io.keyslot.client.entry.ForgivingCalls;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.statistics.LoadObserver;
import org.jspecify.annotations.Nullable;

/**
 * What one client tells Java Flight Recorder. By default nothing: then each method returns what it is given. Safe for use by
 * several threads; nothing here throws.
 */
public interface FlightEvents {
    /** Records nothing. */
    FlightEvents NONE = new FlightEvents() {};

    /** Returns the recorder of this client, which records nothing where the JVM has no Flight Recorder. */
    static FlightEvents of(String manager) {
        boolean isThere = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
        return isThere ? new FlightRecords(manager) : NONE;
    }

    /** Returns who hears of partitions, and records their outages. */
    default PartitionObserver partitions(PartitionObserver next) {
        return next;
    }

    /** Returns who hears of the loads of a cache, and records them. */
    default LoadObserver loads(String cacheName, LoadObserver next) {
        return next;
    }

    /** Returns whether slow calls are recorded at present. */
    default boolean hasSlowCalls() {
        return false;
    }

    /** Begins a call that may become slow; null if nobody records it. */
    default @Nullable Call begin(String cacheName, String operation) {
        return null;
    }

    /** Ends a call, if it was begun. */
    static void end(@Nullable Call begun) {
        if (begun != null) {
            begun.end();
        }
    }

    /** Returns the same calls, of which slow ones are recorded. */
    default <K, V> ForgivingCalls<K, V> around(ForgivingCalls<K, V> calls, String cacheName) {
        return calls;
    }

    /** A call that may become slow. */
    @FunctionalInterface
    interface Call {
        /** Records the call if it was slow. */
        void end();
    }
}
