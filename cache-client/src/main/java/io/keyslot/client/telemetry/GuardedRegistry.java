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

/** The application's registry: nothing here throws, whatever its handlers do. Safe for use by several threads. */
final class GuardedRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedRegistry.class);

    private final ObservationRegistry registry;
    private final LogPace pace;

    GuardedRegistry(ObservationRegistry registry, Ticker ticker) {
        this.registry = registry;
        this.pace = new LogPace(ticker);
    }

    /** Returns what the calling thread is within, null if it is nothing. */
    @Nullable
    Observation current() {
        return registry.getCurrentObservation();
    }

    /** Begins an observation within that of the calling thread; returns null if nobody wants it. */
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

    /** Lets the calling thread be within an observation until what is returned is closed. */
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

    /** Ends an observation. */
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

    /** An observation must not turn a call into a failure. */
    private void complain(RuntimeException failure) {
        if (pace.permits("observation failed")) {
            LOG.warn("A handler of observations failed", failure);
        }
    }

    /** A thread within an observation. */
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
