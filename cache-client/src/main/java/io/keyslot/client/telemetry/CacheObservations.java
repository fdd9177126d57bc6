// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.telemetry.convention.CallContext;
import io.keyslot.client.telemetry.convention.CallConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/** Observes the calls of one cache, until the caller has the result. Safe for use by several threads. */
final class CacheObservations {
    private static final ObservationConvention<CallContext> CONVENTION = new CallConvention();

    private final GuardedRegistry registry;
    private final String manager;
    private final String cache;

    CacheObservations(GuardedRegistry registry, String manager, String cache) {
        this.registry = registry;
        this.manager = manager;
        this.cache = cache;
    }

    private RunningCall context(String operation, @Nullable Object key) {
        return new RunningCall(manager, cache, operation, key);
    }

    @FunctionalInterface
    @NullUnmarked // the result may be null where its type allows it, which NullAway does not see in lambdas
    interface Call<T, X extends Exception> {
        T call() throws X;
    }

    @SuppressWarnings("IllegalCatch") // the exceptions of the call are rethrown
    <T extends @Nullable Object, X extends Exception> T now(String operation, @Nullable Object key, Call<T, X> call)
            throws X {
        RunningCall context = context(operation, key);
        Observation observation = registry.begin(CONVENTION, context);
        if (observation == null) {
            return call.call();
        }
        GuardedRegistry.Entered entered = registry.enter(observation);
        T result;
        try {
            result = call.call();
        } catch (Throwable e) {
            entered.leave();
            end(registry, observation, context, null, e);
            throw e;
        }
        entered.leave();
        end(registry, observation, context, result, null);
        return result;
    }

    void run(String operation, @Nullable Object key, Runnable call) {
        this.<@Nullable Void, RuntimeException>now(operation, key, () -> {
            call.run();
            return null;
        });
    }

    /** Observes an asynchronous call, which the executing thread ends, or the stage if the operation does not run. */
    <T extends @Nullable Object> CompletionStage<T> later(
            String operation, @Nullable Object key, Supplier<CompletionStage<T>> call) {
        RunningCall context = context(operation, key);
        Observation observation = registry.begin(CONVENTION, context);
        if (observation == null) {
            return call.get();
        }
        context.leaveEndToOperation();
        GuardedRegistry.Entered entered = registry.enter(observation);
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (RuntimeException | Error e) {
            entered.leave();
            end(registry, observation, context, null, e);
            throw e;
        }
        entered.leave();
        CompletableFuture<T> unused = stage.toCompletableFuture()
                .whenComplete((result, failure) -> end(registry, observation, context, result, failure));
        return stage;
    }

    static void end(
            GuardedRegistry registry,
            Observation observation,
            RunningCall context,
            @Nullable Object result,
            @Nullable Throwable failure) {
        if (context.end(result, failure != null)) {
            registry.end(observation, failure);
        }
    }
}
