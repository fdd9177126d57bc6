// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.FailSafeObserver;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.routing.CommandFollower;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Observes with Micrometer; {@code docs/meters.md} describes the observations. */
final class MicrometerObservations implements Observations {
    private final String manager;
    private final GuardedRegistry registry;

    private MicrometerObservations(String manager, GuardedRegistry registry) {
        this.manager = manager;
        this.registry = registry;
    }

    /** Throws {@code IllegalArgumentException} if the argument is not a registry. */
    static Observations create(String manager, Object registry, Ticker ticker) {
        if (registry instanceof ObservationRegistry given) {
            return given.equals(ObservationRegistry.NOOP)
                    ? NONE
                    : new MicrometerObservations(manager, new GuardedRegistry(given, ticker));
        }
        throw new IllegalArgumentException("property %s is a %s, must be a %s"
                .formatted(
                        ObservationSelection.REGISTRY_PROPERTY,
                        registry.getClass().getName(),
                        ObservationRegistry.class.getName()));
    }

    @Override
    public <K, V> PartitionedCache<K, V> around(PartitionedCache<K, V> cache) {
        return new ObservedCache<>(cache, of(cache.getName()), this);
    }

    @Override
    public CacheGroup around(CacheGroup group) {
        return ObservedHandles.around(group, this::of);
    }

    <T extends @Nullable Object> GroupProcessor<T> around(GroupProcessor<T> processor) {
        return ObservedHandles.around(processor, this::of);
    }

    private CacheObservations of(String cache) {
        return new CacheObservations(registry, manager, cache);
    }

    @Override
    public CacheCounters counters(boolean enabled) {
        return new ObservedCounters(enabled, this);
    }

    @Override
    public ReadHistory history(Ticker ticker) {
        return new ObservedHistory(ticker, this);
    }

    @Override
    public FailSafeObserver failSafe(FailSafeObserver next) {
        return new ObservedFailSafe.Untold(this, next);
    }

    @Override
    public CommandFollower commands() {
        return new ObservedCommands(registry);
    }

    /**
     * Returns the call that is the thread's current observation; null also within an observation of the application.
     */
    @Nullable
    RunningCall currentCall() {
        Observation current = registry.current();
        return current == null ? null : callOf(current);
    }

    private static @Nullable RunningCall callOf(Observation observation) {
        return observation.getContext() instanceof RunningCall call ? call : null;
    }

    @Override
    @SuppressWarnings("IllegalCatch") // the exceptions of the operation are rethrown
    public <T extends @Nullable Object> Supplier<T> carry(Supplier<T> operation) {
        Observation current = registry.current();
        if (current == null) {
            return operation;
        }
        RunningCall call = callOf(current);
        RunningCall ending = call != null && call.takeEnd() ? call : null;
        return () -> {
            GuardedRegistry.Entered entered = registry.enter(current);
            T result;
            try {
                result = operation.get();
            } catch (Throwable e) {
                entered.leave();
                end(current, ending, null, e);
                throw e;
            }
            entered.leave();
            end(current, ending, result, null);
            return result;
        };
    }

    private void end(
            Observation observation,
            @Nullable RunningCall ending,
            @Nullable Object result,
            @Nullable Throwable failure) {
        if (ending != null) {
            CacheObservations.end(registry, observation, ending, result, failure);
        }
    }

    @Override
    public Runnable carryTask(Runnable task) {
        Supplier<@Nullable Void> carried = this.<@Nullable Void>carry(() -> {
            task.run();
            return null;
        });
        return carried::get;
    }

    @Override
    public Executor carrying(Executor executor) {
        return task -> executor.execute(carryTask(task));
    }
}
