// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.event.EventGap;
import io.keyslot.client.entry.CacheCounts;
import io.keyslot.client.entry.EntryObserver;
import io.keyslot.client.entry.FailSafeObserver;
import io.keyslot.client.entry.FollowerObserver;
import io.keyslot.client.entry.GroupObserver;
import io.keyslot.client.entry.LoadCause;
import io.keyslot.client.entry.LoadObserver;
import io.keyslot.client.entry.NearCounts;
import io.keyslot.client.entry.NearObserver;
import io.keyslot.client.entry.RemoteObserver;
import io.keyslot.client.entry.ReplicaObserver;
import io.keyslot.client.entry.WriteBehindCounts;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.health.PartitionObserver.Transition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.CommandObserver;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * Measures with Micrometer; {@code docs/meters.md} describes the meters. Tags have few values, known from the
 * configuration. The tag of the manager allows several managers with equal partition names in a registry.
 */
final class MicrometerMeters implements Meters {
    private final MeterRegistry registry;
    private final Tag manager;
    private final ConcurrentMap<TimerKey, Timer> commandTimers = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, CacheMeters> caches = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, WriteBehindMeters> writeBehind = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, NearMeters> near = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ReplicaMeters> replicas = new ConcurrentHashMap<>();
    private final FollowerMeters followers;
    private final ConcurrentMap<Meter.Id, Meter> own = new ConcurrentHashMap<>();
    private final AtomicBoolean isWatching = new AtomicBoolean();
    private final Set<PartitionId> watchedPartitions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private MicrometerMeters(String manager, MeterRegistry registry) {
        this.manager = Tag.of("cache.manager", manager);
        this.registry = registry;
        this.followers = new FollowerMeters(registry, this.manager);
    }

    /** Throws {@code IllegalArgumentException} if the argument is neither null, for the global registry, nor a registry. */
    static Meters create(String manager, @Nullable Object registry) {
        if (registry == null) {
            return new MicrometerMeters(manager, Metrics.globalRegistry);
        }
        if (registry instanceof MeterRegistry given) {
            return new MicrometerMeters(manager, given);
        }
        throw new IllegalArgumentException("property %s is a %s, must be a %s"
                .formatted(
                        MetersSelection.REGISTRY_PROPERTY,
                        registry.getClass().getName(),
                        MeterRegistry.class.getName()));
    }

    /** Identifies a command timer, to avoid creating tags in the hot path. */
    private record TimerKey(PartitionId partition, String command, String outcome) {}

    @Override
    public CommandObserver commands() {
        return (partition, command, reply, nanos) ->
                timer(partition, command, reply).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(PartitionId partition, Command<?> command, Reply<?> reply) {
        TimerKey key = new TimerKey(partition, command.name(), outcome(reply));
        Timer known = commandTimers.get(key);
        return known != null ? known : commandTimers.computeIfAbsent(key, this::newTimer);
    }

    private Timer newTimer(TimerKey key) {
        return kept(Timer.builder("keyslot.command")
                .description("Commands to partitions, attempts included")
                .tags(List.of(manager))
                .tag("partition", key.partition().name())
                .tag("command", key.command())
                .tag("outcome", key.outcome())
                .register(registry));
    }

    private static String outcome(Reply<?> reply) {
        if (reply instanceof Reply.Done) {
            return "done";
        }
        return reply instanceof Reply.Refused ? "refused" : "unknown";
    }

    @Override
    public PartitionObserver partitions() {
        return new PartitionMeters();
    }

    private final class PartitionMeters implements PartitionObserver {
        @Override
        public void onTransition(Transition transition) {
            kept(Counter.builder("keyslot.partition.transitions")
                            .description("Changes of a partition's state")
                            .tags(List.of(manager))
                            .tag("partition", transition.partition().name())
                            .tag("to", lowerCase(transition.to()))
                            .tag("cause", lowerCase(transition.cause()))
                            .register(registry))
                    .increment();
        }

        @Override
        public void onReturn(PartitionId partition, Duration absence) {
            absences(partition).record(absence);
        }

        @Override
        public void onReplayed(PartitionId partition, int deletions) {
            replayed(partition).increment(deletions);
        }

        @Override
        public void onOverflow(PartitionId partition) {
            overflows(partition).increment();
        }
    }

    private Timer absences(PartitionId partition) {
        return kept(Timer.builder("keyslot.partition.absence")
                .description("Time from the moment a partition was missing until it was healthy again")
                .tags(List.of(manager))
                .tag("partition", partition.name())
                .register(registry));
    }

    private Counter replayed(PartitionId partition) {
        return kept(Counter.builder("keyslot.partition.journal.replayed")
                .description("Deletions that had waited and were done")
                .tags(List.of(manager))
                .tag("partition", partition.name())
                .register(registry));
    }

    private Counter overflows(PartitionId partition) {
        return kept(Counter.builder("keyslot.partition.journal.overflows")
                .description("Times that more deletions waited than are remembered")
                .tags(List.of(manager))
                .tag("partition", partition.name())
                .register(registry));
    }

    @Override
    public void watch(PartitionRouter router) {
        forgetGaugesOfOthers(router.slotMap().partitions());
        if (isWatching.compareAndSet(false, true)) {
            kept(Gauge.builder(
                            "keyslot.slotmap.version",
                            router,
                            watched -> watched.slotMap().version())
                    .description("Version of the slot map in force")
                    .tags(List.of(manager))
                    .register(registry));
        }
        for (PartitionId partition : router.slotMap().partitions()) {
            absences(partition); // register at the start, so that the first one appears as a change from zero
            replayed(partition);
            overflows(partition);
            if (!watchedPartitions.add(partition)) {
                continue; // a second gauge of the same name would be ignored, with a warning
            }
            kept(Gauge.builder(
                            "keyslot.partition.journal.length", router, watched -> pendingDeletesOf(watched, partition))
                    .description("Deletions that wait until the partition does them")
                    .tags(List.of(manager))
                    .tag("partition", partition.name())
                    .register(registry));
            for (PartitionState state : PartitionState.values()) {
                kept(Gauge.builder("keyslot.partition.state", router, watched -> isIn(watched, partition, state))
                        .description("1 for the state that the partition is in, 0 for the others")
                        .tags(List.of(manager))
                        .tag("partition", partition.name())
                        .tag("state", lowerCase(state))
                        .register(registry));
            }
        }
    }

    /** Counters of a removed partition remain; its gauges do not. */
    private void forgetGaugesOfOthers(List<PartitionId> present) {
        watchedPartitions.retainAll(present);
        List<String> names = present.stream().map(PartitionId::name).toList();
        own.values().removeIf(meter -> {
            String partition = meter.getId().getTag("partition");
            boolean isGone = meter instanceof Gauge && partition != null && !names.contains(partition);
            if (isGone) {
                registry.remove(meter);
            }
            return isGone;
        });
    }

    private static double pendingDeletesOf(PartitionRouter router, PartitionId partition) {
        return router.statuses().stream()
                .filter(status -> status.id().equals(partition))
                .mapToInt(PartitionStatus::journal)
                .sum();
    }

    private static double isIn(PartitionRouter router, PartitionId partition, PartitionState state) {
        List<PartitionStatus> statuses = router.statuses();
        return statuses.stream().anyMatch(status -> status.id().equals(partition) && status.state() == state) ? 1 : 0;
    }

    @Override
    public EntryObserver entries(String cacheName) {
        return new EntryObserver() {
            @Override
            public void onUnreadable(Lookup.Outcome outcome) {
                count(lowerCase(outcome));
            }

            @Override
            public void onUndecodable(String codec) {
                count("undecodable");
            }

            private void count(String reason) {
                kept(Counter.builder("keyslot.entries.unreadable")
                                .description("Stored bytes that were not served as an entry")
                                .tags(List.of(manager))
                                .tag("cache", cacheName)
                                .tag("reason", reason)
                                .register(registry))
                        .increment();
            }
        };
    }

    @Override
    public FailSafeObserver failSafe(String cacheName) {
        return new FailSafeObserver() {
            @Override
            public void onJournaled() {
                count(
                        "keyslot.writes.journaled",
                        "Writes that were not done; what they would have replaced is deleted before it is read",
                        Tags.empty());
            }

            @Override
            public void onForgiven(String operation, RuntimeException failure) {
                count(
                        "keyslot.failures.forgiven",
                        "Calls that failed, and whose callers went on as if there were no cache",
                        Tags.of(
                                "operation",
                                operation,
                                "exception",
                                failure.getClass().getSimpleName()));
            }

            private void count(String name, String description, Tags tags) {
                kept(Counter.builder(name)
                                .description(description)
                                .tags(List.of(manager))
                                .tag("cache", cacheName)
                                .tags(tags)
                                .register(registry))
                        .increment();
            }
        };
    }

    @Override
    public GroupObserver groups() {
        return rootType -> kept(Counter.builder("keyslot.groups.too.large")
                        .description("How often a group was found to be larger than its limit")
                        .tags(List.of(manager))
                        .tag("root", rootType)
                        .register(registry))
                .increment();
    }

    @Override
    public RemoteObserver events(String cacheName) {
        return new RemoteObserver() {
            @Override
            public void onReceived() {
                counter("keyslot.events.heard", "Changes of others that listeners were told", Tags.empty())
                        .increment();
            }

            @Override
            public void onGap(EventGap.Reason reason) {
                counter(
                                "keyslot.events.gaps",
                                "Times that listeners may have missed something",
                                Tags.of("reason", lowerCase(reason)))
                        .increment();
            }

            @Override
            public void onDropped() {
                counter("keyslot.events.dropped", "Keys and events that were dropped, as too many waited", Tags.empty())
                        .increment();
            }

            private Counter counter(String name, String description, Tags tags) {
                return kept(Counter.builder(name)
                        .description(description)
                        .tags(List.of(manager))
                        .tag("cache", cacheName)
                        .tags(tags)
                        .register(registry));
            }
        };
    }

    @Override
    public LoadObserver loads(String cacheName) {
        return new LoadObserver() {
            @Override
            public void onLoad(LoadCause cause, boolean succeeded, long nanos) {
                kept(Timer.builder("keyslot.loads")
                                .description("Calls of the cache loader")
                                .tags(List.of(manager))
                                .tag("cache", cacheName)
                                .tag("cause", lowerCase(cause))
                                .tag("outcome", succeeded ? "loaded" : "failed")
                                .register(registry))
                        .record(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void onRejected(LoadCause cause) {
                count("keyslot.loads.rejected", "Loads that were not begun, because a bound was reached", cause);
            }

            @Override
            public void onStale(LoadCause instead) {
                count("keyslot.loads.stale", "Values served although their time was over", instead);
            }

            private void count(String name, String description, LoadCause cause) {
                kept(Counter.builder(name)
                                .description(description)
                                .tags(List.of(manager))
                                .tag("cache", cacheName)
                                .tag("cause", lowerCase(cause))
                                .register(registry))
                        .increment();
            }
        };
    }

    @Override
    public NearObserver near(String cacheName) {
        return near.computeIfAbsent(cacheName, name -> new NearMeters(registry, manager, name));
    }

    @Override
    public ReplicaObserver replicas(String cacheName) {
        return replicas.computeIfAbsent(cacheName, name -> new ReplicaMeters(registry, manager, name));
    }

    @Override
    public FollowerObserver followers() {
        return followers;
    }

    @Override
    public void open(Cache<?, ?> cache, CacheCounts counts) {
        CacheMeters meters =
                new CacheMeters(cache, CacheMeters.managerTag(cache, manager.getValue(), registry), counts);
        caches.put(cache.getName(), meters);
        meters.bindTo(registry);
    }

    @Override
    public void open(String cacheName, WriteBehindCounts counts) {
        WriteBehindMeters meters = new WriteBehindMeters(manager, cacheName, counts);
        writeBehind.put(cacheName, meters);
        meters.bindTo(registry);
    }

    @Override
    public void open(String cacheName, NearCounts counts) {
        near.computeIfAbsent(cacheName, name -> new NearMeters(registry, manager, name))
                .show(counts);
    }

    @Override
    public void close(String cacheName) {
        CacheMeters meters = caches.remove(cacheName);
        if (meters != null) {
            meters.removeFrom(registry);
        }
        WriteBehindMeters queue = writeBehind.remove(cacheName);
        if (queue != null) {
            queue.removeFrom(registry);
        }
        ReplicaMeters reads = replicas.remove(cacheName);
        if (reads != null) {
            reads.remove();
        }
        NearMeters copies = near.remove(cacheName);
        if (copies != null) {
            copies.remove();
        }
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(caches.keySet()).forEach(this::close);
        List.copyOf(near.keySet()).forEach(this::close);
        List.copyOf(replicas.keySet()).forEach(this::close);
        followers.remove();
        own.values().forEach(registry::remove);
        own.clear();
    }

    private <M extends Meter> M kept(M meter) {
        own.putIfAbsent(meter.getId(), meter);
        if (closed) {
            registry.remove(meter); // a late reply after close
        }
        return meter;
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
