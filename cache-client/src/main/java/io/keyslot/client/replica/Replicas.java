// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.CurrentTopology;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The replicas of a manager's partitions. No connection is made until a cache reads from them. Thread-safe. */
public final class Replicas implements AutoCloseable {
    /** Heartbeats per bound: the bound is met if replication takes less than about half of it. */
    private static final int QUESTIONS_WITHIN_BOUND = 5;

    private static final Duration SLOWEST_PACE = Duration.ofMillis(100);

    private final CurrentTopology topology;
    private final BiFunction<PartitionOptions, Topology, PartitionConnector> connectors;
    private final ConnectLimit connects;
    private final Timing timing;
    private final String zone;
    private final Telemetry telemetry;
    private final OwnWrites writes;

    // Guarded by this.
    private final Map<PartitionId, Known> partitions = new HashMap<>();
    private long paceNanos = SLOWEST_PACE.toNanos();
    private boolean closed;

    private record Known(PartitionOptions options, FollowedPartition followed) {
        boolean isOf(PartitionOptions now) {
            return now.replicas().equals(options.replicas()) && now.zone().equals(options.zone());
        }
    }

    /**
     * Creates an instance without connections. It closes the connectors, whose names are those of the partitions. The
     * client's zone is empty if unknown.
     */
    public Replicas(
            CurrentTopology topology,
            BiFunction<PartitionOptions, Topology, PartitionConnector> connectors,
            ConnectLimit connects,
            Timing timing,
            String zone,
            Telemetry telemetry) {
        this.topology = topology;
        this.connectors = connectors;
        this.connects = connects;
        this.timing = timing;
        this.zone = zone;
        this.telemetry = telemetry;
        this.writes = new OwnWrites(timing.ticker());
    }

    public ReplicaChannel around(Channel next, PartitionRouter router, ReplicaReads reads, CacheTelemetry shown) {
        shown.showReplicaReads();
        writes.begin(); // before the first read
        router.addListener(writes);
        synchronized (this) {
            paceNanos = Math.min(
                    paceNanos,
                    reads.maxStaleness().dividedBy(QUESTIONS_WITHIN_BOUND).toNanos());
            partitions.values().forEach(known -> known.followed().go(paceNanos));
        }
        return new ReplicaChannel(next, this, reads, timing.ticker(), shown);
    }

    /** Returns the settings that conflict with reads from replicas, if these are configured. */
    public static List<String> problems(PartitionedConfiguration<?, ?> configuration) {
        String other = configuration.getReads() == null ? "" : objection(configuration);
        return other.isEmpty()
                ? List.of()
                : List.of("it is to be read from replicas, but " + other + "; leave reads out");
    }

    private static String objection(PartitionedConfiguration<?, ?> configuration) {
        if (configuration.getGroupedBy() != null || Boolean.TRUE.equals(configuration.getIndexed())) {
            return "is in a group, which transactions change";
        }
        if (configuration.getNear() != null) {
            return "has a near cache, which only the primary tells of changes";
        }
        return configuration.getLayout() == ValueLayout.RAW
                ? "has raw values, which do not say of which epoch they are"
                : "";
    }

    /** Returns the receiver of the changes by this process, which replicas may not have yet. */
    public EntryChanges changes() {
        return writes;
    }

    Topology topology() {
        return topology.get();
    }

    OwnWrites writes() {
        return writes;
    }

    @Nullable
    FollowedPartition followed(PartitionId id, Topology now) {
        PartitionOptions options = now.layout().optionsOf(id);
        if (options == null || options.replicas().isEmpty()) {
            return null;
        }
        List<FollowedPartition> over;
        FollowedPartition present;
        synchronized (this) {
            Known known = partitions.get(id);
            if (closed) {
                return null;
            }
            if (known != null && known.isOf(options)) {
                return known.followed();
            }
            over = takeOut(id, now);
            present = new FollowedPartition(
                    id,
                    isInZone(options.zone()),
                    topology,
                    timing,
                    telemetry,
                    options.replicas().stream()
                            .map(replica -> new ReplicaLink(
                                    connectors.apply(options.at(replica), now),
                                    connects,
                                    timing,
                                    isInZone(replica.zone())))
                            .toList(),
                    paceNanos);
            partitions.put(id, new Known(options, present));
        }
        over.forEach(FollowedPartition::close);
        return present;
    }

    /** Must be called with the lock held. */
    private List<FollowedPartition> takeOut(PartitionId changed, Topology now) {
        List<FollowedPartition> over = new ArrayList<>();
        partitions.entrySet().removeIf(entry -> {
            boolean isOver = entry.getKey().equals(changed) || now.layout().optionsOf(entry.getKey()) == null;
            if (isOver) {
                over.add(entry.getValue().followed());
            }
            return isOver;
        });
        over.forEach(FollowedPartition::hide);
        return over;
    }

    private boolean isInZone(String other) {
        return !zone.isEmpty() && zone.equals(other);
    }

    @Override
    public void close() {
        List<Known> over;
        synchronized (this) {
            closed = true;
            over = List.copyOf(partitions.values());
            partitions.clear();
        }
        over.forEach(known -> known.followed().close());
    }
}
