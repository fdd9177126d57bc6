// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.telemetry.convention.CommandContext;
import io.keyslot.client.telemetry.convention.CommandConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes calls and their commands with Micrometer; {@code docs/meters.md} describes the observations. Exceptions of
 * the application's handlers are logged.
 */
class Observations implements Telemetry {
    private static final Logger LOG = LoggerFactory.getLogger(Observations.class);
    private static final CommandConvention COMMANDS = new CommandConvention();
    private static final String NOT_KNOWN = "unknown";

    private final String manager;
    private final ObservationRegistry registry;
    private final boolean isOn;
    private final LogPace pace;

    /**
     * Observes nothing if the registry is null.
     *
     * @throws IllegalArgumentException if {@code registry} is another object
     */
    Observations(String manager, @Nullable Object registry, Ticker ticker) {
        this.manager = manager;
        this.registry = registryOf(registry);
        this.isOn = !this.registry.equals(ObservationRegistry.NOOP);
        this.pace = new LogPace(ticker);
    }

    static Telemetry of(String manager, Object registry, Ticker ticker) {
        Observations made = new Observations(manager, registry, ticker);
        return made.isOn ? made : NONE;
    }

    private static ObservationRegistry registryOf(@Nullable Object given) {
        if (given == null) {
            return ObservationRegistry.NOOP;
        }
        if (given instanceof ObservationRegistry registry) {
            return registry;
        }
        throw new IllegalArgumentException("property %s is a %s, must be a %s"
                .formatted(OBSERVATION_REGISTRY, given.getClass().getName(), ObservationRegistry.class.getName()));
    }

    final String manager() {
        return manager;
    }

    final boolean isOn() {
        return isOn;
    }

    @Override
    public CacheTelemetry cache(String name) {
        return new CacheObservations(this, name);
    }

    @Override
    public CacheGroup around(CacheGroup group) {
        return isOn ? ObservedHandles.around(group, name -> new CacheObservations(this, name)) : group;
    }

    @Override
    public <E> PartitionedQueue<E> around(PartitionedQueue<E> queue) {
        return isOn ? ObservedHandles.around(queue, name -> new CacheObservations(this, name)) : queue;
    }

    @Override
    public boolean receivesCommands() {
        return isOn;
    }

    /** Keyslot's own commands are not observed. */
    @Override
    public boolean isWithinCall() {
        return current() != null;
    }

    @Override
    public @Nullable Consumer<@Nullable Reply<?>> onSend(PartitionOptions partition, Command<?> command) {
        PartitionUri uri = partition.uri();
        if (uri == null) {
            return null; // an embedded partition
        }
        CommandContext context =
                new CommandContext(partition.name(), command.name(), uri.host(), uri.port(), uri.database());
        Observation observation = begin(COMMANDS, context);
        return observation == null ? null : reply -> end(observation, context, reply);
    }

    private void end(Observation observation, CommandContext context, @Nullable Reply<?> reply) {
        if (reply instanceof Reply.Refused<?> refused) {
            context.fail(refused.refusal().name().toLowerCase(Locale.ROOT));
        } else if (!(reply instanceof Reply.Done)) {
            context.fail(NOT_KNOWN);
        }
        end(observation, (Throwable) null);
    }

    private @Nullable Observation current() {
        return isOn ? registry.getCurrentObservation() : null;
    }

    /**
     * Returns the call that is the thread's current observation; null also within an observation of the application.
     */
    final @Nullable RunningCall currentCall() {
        Observation current = current();
        return current == null ? null : callOf(current);
    }

    private static @Nullable RunningCall callOf(Observation observation) {
        return observation.getContext() instanceof RunningCall call ? call : null;
    }

    /** Starts an observation within that of the calling thread; returns null if it is not enabled. */
    final <C extends Observation.Context> @Nullable Observation begin(ObservationConvention<C> convention, C context) {
        if (registry.isNoop()) {
            return null;
        }
        try {
            Observation observation = Observation.createNotStarted(null, convention, () -> context, registry);
            return observation.isNoop() ? null : observation.start();
        } catch (RuntimeException e) {
            complain(e);
            return null;
        }
    }

    /** Makes an observation the current one of the calling thread, until the result is run. */
    final Runnable enter(Observation observation) {
        Observation.Scope before = registry.getCurrentObservationScope();
        try {
            Observation.Scope scope = observation.openScope();
            return () -> leave(scope, before);
        } catch (RuntimeException e) {
            complain(e);
            registry.setCurrentObservationScope(before);
            return () -> {};
        }
    }

    private void leave(Observation.Scope scope, Observation.@Nullable Scope before) {
        try {
            scope.close();
        } catch (RuntimeException e) {
            complain(e);
            registry.setCurrentObservationScope(before);
        }
    }

    final void end(Observation observation, @Nullable Throwable failure) {
        try {
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        } catch (RuntimeException e) {
            complain(e);
        }
    }

    /** Ends the observation of a call, unless another thread was faster. */
    final void end(Observation observation, RunningCall call, @Nullable Object result, @Nullable Throwable failure) {
        if (call.end(result, failure != null)) {
            end(observation, failure);
        }
    }

    /** Logs a failure of a handler, which must not make a call fail. */
    private void complain(RuntimeException failure) {
        if (pace.permits("observation failed")) {
            LOG.warn("A handler of observations failed", failure);
        }
    }

    @Override
    public <T extends @Nullable Object> Supplier<T> carry(Supplier<T> operation) {
        Observation current = current();
        if (current == null) {
            return operation;
        }
        RunningCall call = callOf(current);
        RunningCall ending = call != null && call.takeEnd() ? call : null;
        return () -> within(current, ending, operation::get);
    }

    /** Runs a call in an observation, and then ends that, unless {@code ending} is null. */
    @SuppressWarnings("IllegalCatch") // the exceptions of the call are rethrown
    <T extends @Nullable Object, X extends Exception> T within(
            Observation observation, @Nullable RunningCall ending, CacheTelemetry.Call<T, X> call) throws X {
        Runnable leaving = enter(observation);
        T result;
        try {
            result = call.call();
        } catch (Throwable e) {
            leaving.run();
            if (ending != null) {
                end(observation, ending, null, e);
            }
            throw e;
        }
        leaving.run();
        if (ending != null) {
            end(observation, ending, result, null);
        }
        return result;
    }

    @Override
    public Runnable carryTask(Runnable task) {
        if (!isOn) {
            return task;
        }
        Supplier<@Nullable Void> carried = this.<@Nullable Void>carry(() -> {
            task.run();
            return null;
        });
        return carried::get;
    }

    @Override
    public Executor carrying(Executor executor) {
        return isOn ? task -> executor.execute(carryTask(task)) : executor;
    }
}
