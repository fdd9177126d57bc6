// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.redis.ClusterHome;
import io.keyslot.client.partition.redis.ClusterOwners;
import io.keyslot.client.partition.redis.ClusterPrimary;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the primaries and slot owners from the nodes of a cluster. Each primary is a partition, named by its node ID.
 * The version counts the layouts of this process that differ from the one before. Thread-safe.
 * <ul>
 * <li>A MOVED reply changes the owner of the slot at once if the other node is known. A check of the nodes follows, as
 * more slots may have moved.
 * <li>The nodes are checked every {@link #PAUSE}, or every {@link #PAUSE_OF_TROUBLE} while a primary cannot be asked.
 * <li>One check runs at a time. A view in which a slot has no primary changes nothing.
 * </ul>
 */
public final class ClusterSource implements TopologySource, ClusterHome.Listener {
    static final Duration PAUSE = Duration.ofSeconds(5);

    static final Duration PAUSE_OF_TROUBLE = Duration.ofMillis(200);

    /** The interval of checks whether the cluster's epoch has advanced. */
    static final Duration PAUSE_OF_EPOCH = Duration.ofSeconds(1);

    /** The time from a MOVED reply to a check of the nodes; a random part of up to the same time is added. */
    static final Duration AFTER_MOVED = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterSource.class);

    private final ClusterHome home;
    private final PartitionOptions access; // of the first configured node, which applies to all nodes
    private final Map<String, String> zones = new HashMap<>(); // by address
    private final Supplier<@Nullable Topology> topology;
    private final Timing timing;
    private volatile Consumer<Layout> listener = layout -> {};
    private ClusterOwners view = new ClusterOwners(List.of()); // guarded by this
    private long version; // guarded by this
    private boolean isLooking; // guarded by this
    private boolean isWanted; // another check after the running one; guarded by this
    private boolean isPlanned; // a check after a MOVED reply; guarded by this
    private long lastCheck; // guarded by this
    private volatile boolean closed;
    private volatile String lastProblem = "";

    public ClusterSource(
            ClusterHome home, List<PartitionOptions> configured, Supplier<@Nullable Topology> topology, Timing timing) {
        this.home = home;
        this.access = configured.get(0);
        for (PartitionOptions node : configured) {
            PartitionUri uri = node.uri();
            if (uri != null && !node.zone().isEmpty()) {
                zones.put(uri.host() + " " + uri.port(), node.zone());
            }
        }
        this.topology = topology;
        this.timing = timing;
        this.lastCheck = timing.ticker().nanos();
    }

    /**
     * Requests the first view; without one, the client starts without partitions, and gets them later. Throws
     * {@link CacheException} if a node answers that belongs to no cluster or rejects this client.
     */
    public void begin(Waiter waiter, Duration atMost) {
        home.listen(this);
        CompletableFuture<Optional<ConnectFailure>> looked = home.look(timing).handle((first, failure) -> {
            if (first != null) {
                adopt(first);
                return Optional.empty();
            }
            return Optional.of(ClusterHome.failureOf(failure));
        });
        looked = looked.thenCompose(failure -> failure.isPresent()
                ? CompletableFuture.completedFuture(failure)
                : home.prepare().thenApply(prepared -> failure));
        Optional<ConnectFailure> failure = waiter.awaitClose(looked, atMost, Optional::empty);
        if (failure.isPresent()) {
            lastProblem = String.valueOf(failure.get().getMessage());
            if (failure.get().kind() == ConnectFailure.Kind.REJECTED) {
                throw new CacheException("Keyslot cannot start:%n  %s".formatted(lastProblem), failure.get());
            }
            LOG.warn("No node of the cluster says which primaries there are: {}", lastProblem);
        }
    }

    @Override
    public synchronized Layout first() {
        return version == 0
                ? new Layout(new SlotMap(0, Map.of(new PartitionId("unknown"), List.of())), List.of())
                : layout();
    }

    private synchronized Layout layout() {
        return Layout.ofServers(
                view.slotMap(version),
                view.primaries().stream().map(this::options).toList());
    }

    /** Returns a primary as a partition, with its replicas. */
    private PartitionOptions options(ClusterPrimary node) {
        List<ReplicaOptions> replicas = node.replicas().stream()
                .flatMap(replica -> replica(node, replica.host(), replica.port()).stream())
                .toList();
        return access.at(node.partition(), node.host(), node.port()).with(zone(node.host(), node.port()), replicas);
    }

    private List<ReplicaOptions> replica(ClusterPrimary of, String host, int port) {
        PartitionUri uri = access.at(of.partition(), host, port).uri();
        return uri == null ? List.of() : List.of(new ReplicaOptions(uri, zone(host, port)));
    }

    private String zone(String host, int port) {
        return zones.getOrDefault(host + " " + port, "");
    }

    @Override
    public void listen(Consumer<Layout> newListener) {
        listener = newListener;
        tick();
    }

    private void tick() {
        if (closed) {
            return;
        }
        if (isDue()) {
            look();
        }
        long half = PAUSE_OF_TROUBLE.toNanos() / 2;
        timing.schedule(this::tick, half + timing.upTo(Duration.ofNanos(half)));
    }

    private boolean isDue() {
        Topology now = topology.get();
        boolean isTrouble = now == null
                || now.partitions().isEmpty()
                || !now.partitions().stream().allMatch(Partition::isAsked);
        synchronized (this) {
            long since = timing.ticker().nanos() - lastCheck;
            return since >= (isTrouble ? PAUSE_OF_TROUBLE : PAUSE).toNanos();
        }
    }

    public void watchEpoch() {
        if (!closed) {
            home.checkEpoch();
            timing.schedule(this::watchEpoch, PAUSE_OF_EPOCH.toNanos());
        }
    }

    @Override
    public void look() {
        synchronized (this) {
            if (closed || isLooking) {
                isWanted = true;
                return;
            }
            isLooking = true;
            isWanted = false;
        }
        Futures.whenOver(home.look(timing), (seen, failure) -> {
            if (seen != null) {
                adopt(seen);
            } else {
                report(ClusterHome.failureOf(failure));
            }
            boolean again;
            synchronized (this) {
                isLooking = false;
                lastCheck = timing.ticker().nanos();
                again = isWanted && !closed;
            }
            if (again) {
                checkLater();
            }
        });
    }

    private void report(ConnectFailure failure) {
        String problem = String.valueOf(failure.getMessage());
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            LOG.warn("No node of the cluster says which primaries there are: {}", problem);
        }
    }

    /** Delays a check, so that it covers several moved slots. */
    private void checkLater() {
        synchronized (this) {
            if (isPlanned) {
                return;
            }
            isPlanned = true;
        }
        timing.schedule(
                () -> {
                    synchronized (this) {
                        isPlanned = false;
                    }
                    look();
                },
                AFTER_MOVED.toNanos() + timing.upTo(AFTER_MOVED));
    }

    @Override
    public void moved(int slot, String host, int port) {
        Optional<ClusterOwners> next;
        boolean isKnown;
        synchronized (this) {
            next = view.moved(slot, host, port);
            isKnown = view.at(host, port).isPresent();
        }
        next.ifPresent(this::adopt);
        if (isKnown) {
            checkLater();
        } else {
            look();
        }
    }

    private void adopt(ClusterOwners seen) {
        Layout next;
        synchronized (this) {
            if (closed || seen.equals(view)) {
                return;
            }
            view = seen;
            version++;
            next = layout();
            home.adopt(seen);
        }
        lastProblem = "";
        listener.accept(next);
    }

    /** Returns true: a newer version is sought after a MOVED reply, which {@link #moved} has processed. */
    @Override
    public boolean isSought(long newer, PartitionId partition) {
        return true;
    }

    @Override
    public void close() {
        closed = true;
        home.close();
    }
}
