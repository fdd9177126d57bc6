// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.concurrent.CallerContext;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.entry.FailSafeObserver;
import io.keyslot.client.telemetry.convention.CallOutcome;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The fail-safe calls of a cache, observed. */
record ObservedFailSafe<K, V>(FailSafeCalls<K, V> calls, CacheObservations observations, CallerContext context)
        implements FailSafeCalls<K, V> {
    @Override
    public @Nullable V get(K key) {
        return observations.now("get", key, () -> calls.get(key));
    }

    @Override
    public @Nullable V load(K key, Callable<? extends @Nullable Object> method) throws Exception {
        return observations.now("load", key, () -> calls.load(key, method));
    }

    @Override
    public void put(K key, V value) {
        observations.run("put", key, () -> calls.put(key, value));
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        observations.run("put", key, () -> calls.put(key, value, timeToLive));
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value, @Nullable Duration timeToLive) {
        return observations.now("putIfAbsent", key, () -> calls.putIfAbsent(key, value, timeToLive));
    }

    @Override
    public boolean remove(K key) {
        return observations.now("remove", key, () -> calls.remove(key));
    }

    @Override
    public void clear() {
        observations.run("clear", null, calls::clear);
    }

    @Override
    public Executor carrying(Executor executor) {
        return context.carrying(executor);
    }

    /** Records failures that callers do not see in the current call, and passes them on. */
    record Untold(MicrometerObservations observations, FailSafeObserver next) implements FailSafeObserver {
        @Override
        public void onJournaled() {
            keep(CallOutcome.JOURNALED);
            next.onJournaled();
        }

        @Override
        public void onForgiven(String operation, RuntimeException failure) {
            keep(CallOutcome.FORGIVEN);
            next.onForgiven(operation, failure);
        }

        private void keep(CallOutcome instead) {
            RunningCall call = observations.currentCall();
            if (call != null) {
                call.keep(instead);
            }
        }
    }
}
