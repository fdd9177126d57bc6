// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wraps the application's registry, and catches exceptions of its handlers. Safe for use by several threads. */
final class GuardedRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedRegistry.class);

    private final ObservationRegistry registry;
    private final LogPace pace;

    GuardedRegistry(ObservationRegistry registry, Ticker ticker) {
        this.registry = registry;
        this.pace = new LogPace(ticker);
    }

    @Nullable
    Observation current() {
        return registry.getCurrentObservation();
    }

    /** Starts an observation within that of the calling thread; returns null if it is not enabled. */
    <C extends Observation.Context> @Nullable Observation begin(ObservationConvention<C> convention, C context) {
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

    /** Makes an observation the current one of the calling thread, until the result is closed. */
    Entered enter(Observation observation) {
        Observation.Scope before = registry.getCurrentObservationScope();
        try {
            return new Entered(observation.openScope(), before);
        } catch (RuntimeException e) {
            complain(e);
            registry.setCurrentObservationScope(before);
            return new Entered(Observation.Scope.NOOP, before);
        }
    }

    void end(Observation observation, @Nullable Throwable failure) {
        try {
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        } catch (RuntimeException e) {
            complain(e);
        }
    }

    /** Logs a failure of a handler, which must not make a call fail. */
    private void complain(RuntimeException failure) {
        if (pace.permits("observation failed")) {
            LOG.warn("A handler of observations failed", failure);
        }
    }

    final class Entered {
        private final Observation.Scope scope;
        private final Observation.@Nullable Scope before;

        private Entered(Observation.Scope scope, Observation.@Nullable Scope before) {
            this.scope = scope;
            this.before = before;
        }

        void leave() {
            try {
                scope.close();
            } catch (RuntimeException e) {
                complain(e);
                registry.setCurrentObservationScope(before);
            }
        }
    }
}
