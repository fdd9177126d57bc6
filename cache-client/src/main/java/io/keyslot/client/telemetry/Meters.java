// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures with Micrometer, besides observing; {@code docs/meters.md} describes the meters. Tags have few values, known
 * from the configuration; keys and slots are never tags. The tag of the manager allows several managers with equal
 * partition names in a registry.
 */
final class Meters extends Observations {
    private final MeterRegistry registry;
    private final Tag manager;
    private final ConcurrentMap<TimerKey, Timer> commandTimers = new ConcurrentHashMap<>();
    private final Set<CacheMeters> caches = ConcurrentHashMap.newKeySet();
    private final Map<Replica, List<Meter>> replicas = new HashMap<>(); // guarded by itself
    private final ConcurrentMap<Meter.Id, Meter> own = new ConcurrentHashMap<>();
    private final AtomicBoolean showsVersion = new AtomicBoolean();
    private final Set<PartitionId> shownPartitions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Meters(String manager, MeterRegistry registry, @Nullable Object observations, Ticker ticker) {
        super(manager, observations, ticker);
        this.manager = Tag.of("cache.manager", manager);
        this.registry = registry;
    }

    /**
     * Creates meters in a registry, the global one if it is null, and observations unless that registry is null.
     *
     * @throws IllegalArgumentException if one of them is another object
     */
    static Meters of(String manager, @Nullable Object registry, @Nullable Object observations, Ticker ticker) {
        if (registry == null) {
            return new Meters(manager, Metrics.globalRegistry, observations, ticker);
        }
        if (registry instanceof MeterRegistry given) {
            return new Meters(manager, given, observations, ticker);
        }
        throw new IllegalArgumentException("property %s is a %s, must be a %s"
                .formatted(METER_REGISTRY, registry.getClass().getName(), MeterRegistry.class.getName()));
    }

    MeterRegistry registry() {
        return registry;
    }

    @Override
    public CacheMeters cache(String name) {
        CacheMeters made = new CacheMeters(this, name, Tags.of(manager, Tag.of("cache", name)));
        caches.add(made);
        return made;
    }

    void forget(CacheMeters cache) {
        caches.remove(cache);
    }

    @Override
    public boolean receivesCommands() {
        return true;
    }

    /** Identifies a command timer, to avoid creating tags in the hot path. */
    private record TimerKey(PartitionId partition, String command, String outcome) {}

    @Override
    public void onReply(PartitionId partition, Command<?> command, Reply<?> reply, long nanos) {
        TimerKey key = new TimerKey(partition, command.name(), outcome(reply));
        Timer known = commandTimers.get(key);
        Timer timer = known != null ? known : commandTimers.computeIfAbsent(key, this::newTimer);
        timer.record(nanos, TimeUnit.NANOSECONDS);
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
    public void onTransition(PartitionId partition, PartitionState from, PartitionState to, String cause) {
        counter(
                        "keyslot.partition.transitions",
                        "Changes of a partition's state",
                        tagsOf(partition).and("to", lowerCase(to), "cause", cause.toLowerCase(Locale.ROOT)))
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

    private Timer absences(PartitionId partition) {
        return kept(Timer.builder("keyslot.partition.absence")
                .description("Time from the moment a partition was missing until it was healthy again")
                .tags(tagsOf(partition))
                .register(registry));
    }

    private Counter replayed(PartitionId partition) {
        return counter(
                "keyslot.partition.journal.replayed", "Deletions that had waited and were done", tagsOf(partition));
    }

    private Counter overflows(PartitionId partition) {
        return counter(
                "keyslot.partition.journal.overflows",
                "Times that more deletions waited than are remembered",
                tagsOf(partition));
    }

    /** Returns a counter that remains until the client ends. */
    Counter counter(String name, String description, Tags tags) {
        return kept(Counter.builder(name).description(description).tags(tags).register(registry));
    }

    private void gauge(String name, String description, Tags tags, Supplier<Number> value) {
        Gauge unused = kept(
                Gauge.builder(name, value).description(description).tags(tags).register(registry));
    }

    private Tags tagsOf(PartitionId partition) {
        return Tags.of(manager, Tag.of("partition", partition.name()));
    }

    @Override
    public void show(Supplier<SlotMap> slotMap, Supplier<List<PartitionStatus>> statuses) {
        List<PartitionId> present = slotMap.get().partitions();
        forgetGaugesOfOthers(present);
        if (showsVersion.compareAndSet(false, true)) {
            gauge(
                    "keyslot.slotmap.version",
                    "Version of the slot map in force",
                    Tags.of(manager),
                    () -> slotMap.get().version());
        }
        for (PartitionId partition : present) {
            absences(partition); // register at the start, so that the first one appears as a change from zero
            replayed(partition);
            overflows(partition);
            if (!shownPartitions.add(partition)) {
                continue; // a second gauge of the same name would be ignored, with a warning
            }
            gauge(
                    "keyslot.partition.journal.length",
                    "Deletions that wait until the partition does them",
                    tagsOf(partition),
                    () -> pendingDeletesOf(partition, statuses.get()));
            for (PartitionState state : PartitionState.values()) {
                gauge(
                        "keyslot.partition.state",
                        "1 for the state that the partition is in, 0 for the others",
                        tagsOf(partition).and("state", lowerCase(state)),
                        () -> isIn(partition, state, statuses.get()) ? 1 : 0);
            }
        }
    }

    /** Counters of a removed partition remain; its gauges do not. */
    private void forgetGaugesOfOthers(List<PartitionId> present) {
        shownPartitions.retainAll(present);
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

    private static int pendingDeletesOf(PartitionId partition, List<PartitionStatus> statuses) {
        return statuses.stream()
                .filter(status -> status.id().equals(partition))
                .mapToInt(PartitionStatus::journal)
                .sum();
    }

    private static boolean isIn(PartitionId partition, PartitionState state, List<PartitionStatus> statuses) {
        return statuses.stream().anyMatch(status -> status.id().equals(partition) && status.state() == state);
    }

    @Override
    public void onGroupTooLarge(String rootType) {
        counter(
                        "keyslot.groups.too.large",
                        "How often a group was found to be larger than its limit",
                        Tags.of(manager).and("root", rootType))
                .increment();
    }

    @Override
    public void onMessages(String queue, QueueEvent event, long count) {
        counter(
                        "keyslot.queue.messages",
                        "Messages of a queue that this process has sent, received and so on",
                        Tags.of(manager).and("queue", queue, "event", lowerCase(event)))
                .increment((double) count);
    }

    @Override
    public void showQueue(String queue, LongSupplier depth) {
        gauge(
                "keyslot.queue.depth",
                "Messages in a queue, dead letters included, as this process last saw them",
                Tags.of(manager).and("queue", queue),
                depth::getAsLong);
    }

    @Override
    public void onReplicaOpened(Replica replica) {
        synchronized (replicas) {
            replicas.put(
                    replica,
                    List.of(
                            gauge(
                                    "keyslot.replica.age",
                                    "How old what a replica has is at most",
                                    replica,
                                    Replica::ageNanos),
                            gauge(
                                    "keyslot.replica.round.trip",
                                    "How long a replica takes to answer, on the average of its last answers",
                                    replica,
                                    Replica::roundTripNanos)));
        }
    }

    private Meter gauge(String name, String description, Replica replica, Function<Replica, LongSupplier> nanos) {
        return TimeGauge.builder(name, replica, TimeUnit.NANOSECONDS, shown -> {
                    long known = nanos.apply(shown).getAsLong();
                    return known < 0 ? Double.NaN : known;
                })
                .description(description)
                .tags(tagsOf(replica.partition()))
                .tag("replica", replica.address())
                .register(registry);
    }

    @Override
    public void onReplicaClosed(Replica replica) {
        synchronized (replicas) {
            List<Meter> known = replicas.remove(replica);
            if (known != null) {
                known.forEach(registry::remove);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(caches).forEach(CacheMeters::close);
        synchronized (replicas) {
            replicas.values().forEach(known -> known.forEach(registry::remove));
            replicas.clear();
        }
        own.values().forEach(registry::remove);
        own.clear();
    }

    /** Returns the meter, which is removed at the end of the client. */
    <M extends Meter> M kept(M meter) {
        own.putIfAbsent(meter.getId(), meter);
        if (closed) {
            registry.remove(meter); // a late reply after close
        }
        return meter;
    }

    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
