// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.flight;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.entry.ForgivingCalls;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.health.Transition;
import io.keyslot.client.statistics.LoadCause;
import io.keyslot.client.statistics.LoadObserver;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Tells Java Flight Recorder. An event that nobody records is not made: asking whether somebody does reads a field. */
final class FlightRecords implements FlightEvents {
    private static final SlowCallEvent SLOW_CALL = new SlowCallEvent(); // asked only
    private static final LoadEvent LOAD = new LoadEvent(); // asked only
    private static final OutageEvent OUTAGE = new OutageEvent(); // asked only

    private final String manager;

    FlightRecords(String manager) {
        this.manager = manager;
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public PartitionObserver partitions(PartitionObserver next) {
        return new Outages(manager, next);
    }

    @Override
    public LoadObserver loads(String cacheName, LoadObserver next) {
        return new Loads(cacheName, next);
    }

    @Override
    public boolean hasSlowCalls() {
        return SLOW_CALL.isEnabled();
    }

    @Override
    public @Nullable Call begin(String cacheName, String operation) {
        if (!SLOW_CALL.isEnabled()) {
            return null;
        }
        SlowCallEvent event = new SlowCallEvent();
        event.begin();
        return () -> {
            event.end();
            if (event.shouldCommit()) {
                event.manager = manager;
                event.cache = cacheName;
                event.operation = operation;
                event.commit();
            }
        };
    }

    @Override
    public <K, V> ForgivingCalls<K, V> around(ForgivingCalls<K, V> calls, String cacheName) {
        return new RecordedForgiving<>(calls, this, cacheName);
    }

    /** Records absences: the first connect of a process is none. */
    private record Outages(String manager, PartitionObserver next, ConcurrentMap<PartitionId, OutageEvent> begun)
            implements PartitionObserver {
        Outages(String manager, PartitionObserver next) {
            this(manager, next, new ConcurrentHashMap<>());
        }

        @Override
        public void onTransition(Transition transition) {
            next.onTransition(transition);
            boolean isLost = transition.to() == PartitionState.MISSING
                    && (transition.from() == PartitionState.HEALTHY || transition.from() == PartitionState.SUSPECT);
            if (isLost && OUTAGE.isEnabled()) {
                OutageEvent event = new OutageEvent();
                event.manager = manager;
                event.partition = transition.partition().name();
                event.cause = lowerCase(transition.cause());
                event.begin();
                begun.put(transition.partition(), event);
            }
        }

        @Override
        public void onReturn(PartitionId partition, Duration absence) {
            next.onReturn(partition, absence);
            OutageEvent event = begun.remove(partition);
            if (event != null) {
                event.end();
                if (event.shouldCommit()) {
                    event.commit();
                }
            }
        }

        @Override
        public void onReplayed(PartitionId partition, int deletions) {
            next.onReplayed(partition, deletions);
        }

        @Override
        public void onOverflow(PartitionId partition) {
            next.onOverflow(partition);
        }
    }

    /** Records loads. */
    private final class Loads implements LoadObserver {
        private final String cacheName;
        private final LoadObserver next;

        Loads(String cacheName, LoadObserver next) {
            this.cacheName = cacheName;
            this.next = next;
        }

        @Override
        public LoadObserver.Loading begin(LoadCause cause) {
            if (!LOAD.isEnabled()) {
                return next.begin(cause);
            }
            LoadEvent event = new LoadEvent();
            event.begin();
            LoadObserver.Loading inner = next.begin(cause);
            return succeeded -> {
                event.end();
                if (event.shouldCommit()) {
                    event.manager = manager;
                    event.cache = cacheName;
                    event.cause = lowerCase(cause);
                    event.outcome = succeeded ? "loaded" : "failed";
                    event.commit();
                }
                inner.end(succeeded);
            };
        }

        @Override
        public void onLoad(LoadCause cause, boolean succeeded, long nanos) {
            next.onLoad(cause, succeeded, nanos);
        }

        @Override
        public void onRejected(LoadCause cause) {
            next.onRejected(cause);
        }

        @Override
        public void onStale(LoadCause instead) {
            next.onStale(instead);
        }
    }
}
