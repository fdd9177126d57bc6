// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.flight;

import io.keyslot.client.entry.ForgivingCalls;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The calls of a cache that never fail because of it, of which slow ones are recorded. */
record RecordedForgiving<K, V>(ForgivingCalls<K, V> calls, FlightEvents flight, String cacheName)
        implements ForgivingCalls<K, V> {
    @Override
    public @Nullable V get(K key) {
        FlightEvents.Call recorded = flight.begin(cacheName, "get");
        try {
            return calls.get(key);
        } finally {
            FlightEvents.end(recorded);
        }
    }

    @Override
    public @Nullable V load(K key, Callable<? extends @Nullable Object> method) throws Exception {
        FlightEvents.Call recorded = flight.begin(cacheName, "load");
        try {
            return calls.load(key, method);
        } finally {
            FlightEvents.end(recorded);
        }
    }

    @Override
    public void put(K key, V value) {
        FlightEvents.Call recorded = flight.begin(cacheName, "put");
        try {
            calls.put(key, value);
        } finally {
            FlightEvents.end(recorded);
        }
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        FlightEvents.Call recorded = flight.begin(cacheName, "put");
        try {
            calls.put(key, value, timeToLive);
        } finally {
            FlightEvents.end(recorded);
        }
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value, @Nullable Duration timeToLive) {
        FlightEvents.Call recorded = flight.begin(cacheName, "putIfAbsent");
        try {
            return calls.putIfAbsent(key, value, timeToLive);
        } finally {
            FlightEvents.end(recorded);
        }
    }

    @Override
    public boolean remove(K key) {
        FlightEvents.Call recorded = flight.begin(cacheName, "remove");
        try {
            return calls.remove(key);
        } finally {
            FlightEvents.end(recorded);
        }
    }

    @Override
    public void clear() {
        FlightEvents.Call recorded = flight.begin(cacheName, "clear");
        try {
            calls.clear();
        } finally {
            FlightEvents.end(recorded);
        }
    }

    @Override
    public Executor carrying(Executor executor) {
        return calls.carrying(executor);
    }
}
