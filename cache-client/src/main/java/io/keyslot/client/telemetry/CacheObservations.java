// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.telemetry.convention.CallContext;
import io.keyslot.client.telemetry.convention.CallConvention;
import io.keyslot.client.telemetry.convention.CallOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Observes the calls of one cache, until the caller has the result. */
class CacheObservations implements CacheTelemetry {
    private static final ObservationConvention<CallContext> CONVENTION = new CallConvention();

    private final Observations client;
    private final String cache;

    CacheObservations(Observations client, String cache) {
        this.client = client;
        this.cache = cache;
    }

    @Override
    public final boolean observesCalls() {
        return client.isOn();
    }

    @Override
    public final <T extends @Nullable Object, X extends Exception> T call(
            String operation, @Nullable Object key, Call<T, X> call) throws X {
        RunningCall context = context(operation, key);
        Observation observation = client.begin(CONVENTION, context);
        return observation == null ? call.call() : client.within(observation, context, call);
    }

    @Override
    public final <T extends @Nullable Object> CompletionStage<T> callLater(
            String operation, @Nullable Object key, Supplier<CompletionStage<T>> call) {
        RunningCall context = context(operation, key);
        Observation observation = client.begin(CONVENTION, context);
        if (observation == null) {
            return call.get();
        }
        context.leaveEndToOperation();
        CompletionStage<T> stage;
        try {
            stage = client.within(observation, null, call::get);
        } catch (RuntimeException | Error e) {
            client.end(observation, context, null, e);
            throw e;
        }
        CompletableFuture<T> unused = stage.toCompletableFuture()
                .whenComplete((result, failure) -> client.end(observation, context, result, failure));
        return stage;
    }

    private RunningCall context(String operation, @Nullable Object key) {
        return new RunningCall(client.manager(), cache, operation, key);
    }

    private void ofCurrentCall(Consumer<RunningCall> event) {
        RunningCall call = client.currentCall();
        if (call != null) {
            event.accept(call);
        }
    }

    @Override
    public void onHits(long count) {
        ofCurrentCall(RunningCall::hit);
    }

    @Override
    public void onMisses(long count) {
        ofCurrentCall(RunningCall::miss);
    }

    @Override
    public final void onAbsent(MissCause cause) {
        ofCurrentCall(call -> call.missed(cause));
    }

    @Override
    public void onJournaled() {
        ofCurrentCall(call -> call.keep(CallOutcome.JOURNALED));
    }

    @Override
    public void onForgiven(String operation, RuntimeException failure) {
        ofCurrentCall(call -> call.keep(CallOutcome.FORGIVEN));
    }
}
