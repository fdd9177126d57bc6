// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.routing.WriteListener;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.ProbeKey;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.slot.PartitionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The near caches of a manager, and the tracked connections to its partitions. It observes all connections from the
 * start, but sends nothing before a near cache is opened. Thread-safe.
 */
public final class NearCaches implements Partition.ConnectionListener, WriteListener {
    private static final Logger LOG = LoggerFactory.getLogger(NearCaches.class);

    /** The rights that near caches need in addition to those of caches. */
    private static final String RIGHTS = "+client|tracking +client|caching +pttl ~keyslot:near:*";

    /** Those on a cluster besides, whose nodes are asked for their slots. */
    private static final String RIGHTS_ON_A_CLUSTER = " +cluster|nodes";

    private final Timing timing;
    private final @Nullable Supplier<@Nullable Topology> cluster;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final Map<Partition, TrackedPartition> partitions = new ConcurrentHashMap<>();
    private final NearSweep sweep;
    private volatile List<NearEntries> caches = List.of(); // written while holding this
    private volatile NearSlots slots = NearSlots.first(); // written while holding this
    private volatile long pingNanos = Long.MAX_VALUE;

    /**
     * Creates an instance without near caches.
     *
     * @param cluster the present topology if the partitions are the primaries of a cluster, null if they are instances
     */
    public NearCaches(Timing timing, @Nullable Supplier<@Nullable Topology> cluster) {
        this.timing = timing;
        this.cluster = cluster;
        this.sweep = new NearSweep(timing, () -> caches);
    }

    public <K, V> NearCache<K, V> open(
            NearOptions options,
            LocalKeys<K> keys,
            ValueCoder<V> coder,
            PartitionRouter router,
            CacheTelemetry telemetry) {
        NearEntries copies = new NearEntries(options, keys::ofStored, this::slots, timing.ticker(), telemetry);
        add(copies);
        router.addListener(this); // before the first copy
        return new NearCache<>(keys, copies, coder, options.values(), this, router, telemetry);
    }

    void add(NearEntries cache) {
        synchronized (this) {
            List<NearEntries> more = new ArrayList<>(caches);
            more.add(cache);
            pingNanos = Math.min(pingNanos, cache.staleness() / TrackedPartition.PINGS);
            caches = List.copyOf(more);
        }
        partitions.values().forEach(TrackedPartition::begin);
    }

    synchronized void remove(NearEntries cache) {
        caches = caches.stream().filter(other -> !other.equals(cache)).toList();
    }

    Channel channel(NearEntries copies, Channel next, PartitionRouter router) {
        return new NearChannel(next, copies, this, router, timing.ticker());
    }

    @Override
    public void written(List<EncodedKey> keys) {
        kill(keys, NearEnd.OWN_CHANGE);
    }

    boolean isOn() {
        return !caches.isEmpty();
    }

    /** Returns the time without an answer after which a partition is pinged. */
    long pingNanos() {
        return pingNanos;
    }

    NearSlots slots() {
        return slots;
    }

    /**
     * Returns whether the partitions are nodes of a cluster, where a reply for one slot does not confirm the others: a
     * node may have lost them to another node, and then does not report their changes.
     */
    boolean isOfCluster() {
        return cluster != null;
    }

    /** Returns a key of a slot of the partition, to test it; null if it has none. */
    @Nullable
    EncodedKey probeKey(PartitionId partition) {
        if (cluster == null) {
            return ProbeKey.of(timing.random().nextLong());
        }
        Topology now = cluster.get();
        return now == null ? null : ProbeKey.at(partition, now.slotMap(), timing.random());
    }

    /** Returns whether a node still has all slots that it has by the present topology. */
    boolean isOwnedStill(PartitionId partition, Command.ServedSlots served) {
        Topology now = cluster == null ? null : cluster.get();
        return now != null && served.hasAll(partition, now.slotMap());
    }

    @Nullable
    TrackedConnection of(Partition partition) {
        TrackedPartition known = partitions.get(partition);
        return known == null ? null : known.alive();
    }

    void kill(List<EncodedKey> keys, NearEnd cause) {
        for (NearEntries cache : caches) {
            cache.kill(keys, cause);
        }
    }

    /** Frees the near entries of a connection that has ended. */
    void ended() {
        long longest = 0;
        for (NearEntries cache : caches) {
            longest = Math.max(longest, cache.whenMissing());
        }
        sweep.run();
        if (longest > 0) {
            sweep.runAfter(longest);
        }
    }

    @Override
    public void connected(Partition partition, PartitionConnection connection) {
        partitions
                .computeIfAbsent(partition, first -> new TrackedPartition(partition, this, timing))
                .connected(connection);
    }

    @Override
    public void givenUp(Partition partition, PartitionConnection connection) {
        TrackedPartition known = partitions.get(partition);
        if (known != null) {
            known.lost(connection);
        }
    }

    /** Called before a new topology becomes visible. */
    public void changes(Topology older, Topology newer) {
        synchronized (this) {
            // Without a near cache there are no near entries, and a new one may still see the older topology.
            slots = isOn() ? slots.after(older, newer) : NearSlots.from(newer.version());
        }
        // New partitions are connected before this, and leaving ones stay connected for a while.
        partitions
                .entrySet()
                .removeIf(known ->
                        known.getValue().isIdle() && !newer.partitions().contains(known.getKey()));
        if (isOn()) {
            sweep.run();
        }
    }

    /** Reports that a connection does not track, so that near caches do not use it. */
    void failed(String place, String why) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "The near caches of this manager keep nothing of {}: {}. Reads go to the partition, as without a near cache. Logged once for each manager",
                    place,
                    why.startsWith("NOPERM")
                            ? "%s; run there: ACL SETUSER <user> %s%s"
                                    .formatted(why, RIGHTS, isOfCluster() ? RIGHTS_ON_A_CLUSTER : "")
                            : why);
        }
    }

    /**
     * Removes near entries that are never served again, to free memory, in steps on the scheduler. Correctness does not
     * depend on it. Thread-safe.
     */
    private static final class NearSweep {
        private static final int MOST_AT_A_TIME = 1_000;
        private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

        private final Timing timing;
        private final Supplier<List<NearEntries>> caches;
        private final Deque<Walk> walks = new ArrayDeque<>(); // guarded by this
        private boolean isUnderWay; // guarded by this
        private boolean isAgain; // guarded by this

        NearSweep(Timing timing, Supplier<List<NearEntries>> caches) {
            this.timing = timing;
            this.caches = caches;
        }

        private record Walk(NearEntries copies, Iterator<Map.Entry<Object, Object>> entries) {
            boolean step() {
                for (int i = 0; i < MOST_AT_A_TIME && entries.hasNext(); i++) {
                    copies.tidy(entries.next());
                }
                return entries.hasNext();
            }
        }

        void run() {
            synchronized (this) {
                isAgain = true;
                if (isUnderWay || caches.get().isEmpty()) {
                    return;
                }
                isUnderWay = true;
            }
            later();
        }

        void runAfter(long nanos) {
            timing.schedule(this::run, nanos);
        }

        private void later() {
            if (timing.schedule(this::step, PAUSE).isEmpty()) {
                synchronized (this) {
                    isUnderWay = false; // the manager is closing
                }
            }
        }

        private void step() {
            Walk walk = next();
            if (walk == null) {
                return;
            }
            if (!walk.step()) {
                synchronized (this) {
                    walks.remove(walk);
                }
            }
            later();
        }

        private synchronized @Nullable Walk next() {
            if (walks.isEmpty() && isAgain) {
                isAgain = false;
                caches.get().forEach(cache -> walks.add(new Walk(cache, cache.all())));
            }
            Walk walk = walks.peek();
            isUnderWay = walk != null;
            return walk;
        }
    }
}
