// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.bounded;

import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.call.EntrySender;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.time.Timing;
import io.keyslot.client.topology.CurrentTopology;
import io.keyslot.client.topology.Topology;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of a manager's partitions. Until a cache reads from them, nobody is connected. Safe for use by several threads.
 */
public final class Replicas implements AutoCloseable {
    /** A primary is asked so often that a bound is met if replication takes less than about half of it. */
    private static final int QUESTIONS_WITHIN_BOUND = 5;

    private static final Duration SLOWEST_PACE = Duration.ofMillis(100);

    private final CurrentTopology topology;
    private final BiFunction<PartitionOptions, Topology, PartitionConnector> connectors;
    private final ConnectLimit connects;
    private final Timing timing;
    private final OwnWrites writes;

    // Guarded by this.
    private final Map<PartitionId, Known> partitions = new HashMap<>();
    private Duration pace = SLOWEST_PACE;
    private boolean closed;

    /** A partition and where it and its replicas were when the connections were made. */
    private record Known(PartitionOptions options, FollowedPartition followed) {
        boolean isOf(PartitionOptions now) {
            return now.replicas().equals(options.replicas());
        }
    }

    /**
     * Creates what connects to nobody yet.
     *
     * @param connectors makes a connector to a replica, which this closes; its name is that of the partition
     * @param writes is told of the writes of this process
     */
    public Replicas(
            CurrentTopology topology,
            BiFunction<PartitionOptions, Topology, PartitionConnector> connectors,
            ConnectLimit connects,
            Timing timing,
            OwnWrites writes) {
        this.topology = topology;
        this.connectors = connectors;
        this.connects = connects;
        this.timing = timing;
        this.writes = writes;
    }

    /** Returns what has the plain reads of a cache answered by replicas, and sends everything else as before. */
    public EntrySender around(EntrySender sender, PartitionRouter router, ReplicaReads reads) {
        writes.begin(); // before the first read
        router.tell(writes);
        Duration needed = reads.maxStaleness().dividedBy(QUESTIONS_WITHIN_BOUND);
        synchronized (this) {
            if (needed.compareTo(pace) < 0) {
                pace = needed;
                partitions.values().forEach(known -> known.followed().hasten(needed));
            }
        }
        return new ReplicaSender(sender, new BoundedReads(this, sender.reads(), reads.maxStaleness(), timing.ticker()));
    }

    Topology topology() {
        return topology.get();
    }

    OwnWrites writes() {
        return writes;
    }

    /** Returns a partition that has replicas by this topology; null if it has none. */
    @Nullable
    FollowedPartition followed(PartitionId id, Topology now) {
        PartitionOptions options = optionsOf(id, now);
        if (options == null || options.replicas().isEmpty()) {
            return null;
        }
        FollowedPartition over = null;
        FollowedPartition present;
        synchronized (this) {
            Known known = partitions.get(id);
            if (closed) {
                return null;
            }
            if (known != null && known.isOf(options)) {
                return known.followed();
            }
            over = known == null ? null : known.followed();
            present = new FollowedPartition(
                    id,
                    topology,
                    timing,
                    options.replicas().stream()
                            .map(replica -> link(options, replica, now))
                            .toList(),
                    pace);
            partitions.put(id, new Known(options, present));
        }
        if (over != null) {
            over.close();
        }
        return present;
    }

    private static @Nullable PartitionOptions optionsOf(PartitionId id, Topology now) {
        for (PartitionOptions options : now.layout().partitions()) {
            if (options.name().equals(id)) {
                return options;
            }
        }
        return null;
    }

    private ReplicaLink link(PartitionOptions partition, PartitionUri where, Topology now) {
        return new ReplicaLink(connectors.apply(partition.replica(where), now), connects, timing);
    }

    /** Gives all connections up. Does nothing the second time. */
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
