// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.NewerMaps;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.Start;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest topology this process has heard of, and how it becomes the next one while calls are under way. Safe for use
 * by any number of threads.
 *
 * <ul>
 *   <li>Slot map and partitions change in one step; a reader sees both of one layout.
 *   <li>A partition that is new has been looked at and has made its first attempt to connect, or has had its time, before
 *       anybody asks it. If it does not answer, or does not accept us, it is missing: its slots are its own all the same.
 *   <li>When the new one is there, every partition is told the version of its map, those that have left as well: nothing
 *       that was routed by an older map is sent any more, and it is routed again.
 *   <li>A partition that has left is closed when all that had been sent before is answered.
 *   <li>Deletions that a partition has not done are owed by those who own its slots from then on.
 *   <li>Of layouts that come while one is on its way only the newest is adopted.
 * </ul>
 */
public final class CurrentTopology implements AutoCloseable {
    /** So long a layout waits for its new partitions. */
    static final Duration LONGEST_JOIN = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(CurrentTopology.class);

    private final Function<PartitionOptions, Partition> maker;
    private final Timing timing;
    private final AtomicReference<@Nullable TopologySource> source = new AtomicReference<>();
    private final Object changing = new Object();
    private volatile TopologyObserver observer = (older, newer) -> {};
    private volatile Topology newest; // written while holding changing

    /** The members of the newest topology. Guarded by changing. */
    private Map<PartitionId, Member> present;

    /** The newest layout that was offered. Guarded by changing. */
    private Layout wanted;

    /** Its members, of which some may still be on their way. Guarded by changing. */
    private Map<PartitionId, Member> members;

    private boolean closed; // guarded by changing

    /** Those that have been told to leave, and still owe answers. */
    private final Set<Partition> leaving = ConcurrentHashMap.newKeySet();

    /** A partition, as it was wanted, and when it may be asked. */
    private record Member(PartitionOptions options, Partition partition, CompletableFuture<Void> joined) {
        boolean isAt(PartitionOptions other) {
            return Objects.equals(options.uri(), other.uri());
        }
    }

    /**
     * Creates the first topology; nothing is connected before {@link #start}. It closes the partitions when it is closed.
     *
     * @param maker makes a partition that does nothing yet; it throws if the options cannot be true
     */
    public CurrentTopology(Layout first, Function<PartitionOptions, Partition> maker, Timing timing) {
        this.maker = maker;
        this.timing = timing;
        this.wanted = first;
        this.members = new LinkedHashMap<>();
        for (PartitionOptions options : first.partitions()) {
            members.put(
                    options.name(), new Member(options, made(options, first), CompletableFuture.completedFuture(null)));
        }
        this.present = members;
        Topology firstTopology = topology(first, members);
        this.newest = firstTopology;
        firstTopology.partitions().forEach(partition -> routeBy(firstTopology, partition));
    }

    private Partition made(PartitionOptions options, Layout layout) {
        Partition partition = maker.apply(options);
        PartitionId id = options.name();
        partition.tell(new Heard(id));
        CompletableFuture<Void> unused = partition.announce(layout.slotMap());
        return partition;
    }

    /** What one partition says of maps, for the source. */
    private final class Heard implements NewerMaps {
        private final PartitionId partition;

        Heard(PartitionId partition) {
            this.partition = partition;
        }

        @Override
        public boolean isSought(long version) {
            TopologySource asked = source.get();
            return asked != null && asked.isSought(version, partition);
        }

        @Override
        public void hasForgotten() {
            tell(TopologySource::look);
        }

        @Override
        public void refusedFrozen() {
            tell(TopologySource::refusedFrozen);
        }

        private void tell(Consumer<TopologySource> what) {
            TopologySource asked = source.get();
            if (asked != null) {
                what.accept(asked);
            }
        }
    }

    /** Asks the source from now on for what partitions know of newer layouts. Before it is started. */
    public void ask(TopologySource newer) {
        source.set(newer);
    }

    /** Tells somebody from now on of each topology before it is the newest. Before it is started. */
    public void tell(TopologyObserver listener) {
        observer = listener;
    }

    private static void routeBy(Topology topology, Partition partition) {
        PartitionId id = partition.id();
        partition.route(key -> topology.routeAt(id, key));
    }

    private static Topology topology(Layout layout, Map<PartitionId, Member> members) {
        Map<PartitionId, Partition> partitions = new LinkedHashMap<>();
        layout.partitions()
                .forEach(options -> partitions.put(
                        options.name(),
                        Objects.requireNonNull(members.get(options.name())).partition()));
        return new Topology(layout, partitions);
    }

    /** Costs no more than a look at a field. */
    public Topology get() {
        return newest;
    }

    /**
     * Connects to all partitions, once those that can be reached have agreed: if a server does not accept us, nothing is
     * written anywhere. The future completes when each that was reached is healthy or has failed once, at the latest
     * {@link Start#LONGEST_CONNECT} after the given time. Those that are not healthy by then stay missing until they are.
     *
     * @return why servers did not accept us; the topology is not to be used unless there is none
     */
    public CompletableFuture<List<ConnectFailure>> start(Duration wait) {
        return new Start(newest.partitions(), timing).run(wait);
    }

    /**
     * Adopts the layout, unless one of the same or a higher version is known: at once if no partition is new, else when
     * the new ones may be asked. Neither throws nor blocks.
     *
     * @return whether it was adopted, as soon as that is known
     */
    public CompletableFuture<Boolean> offer(Layout layout) {
        List<Partition> unwanted;
        CompletableFuture<Void> joined;
        synchronized (changing) {
            if (closed || layout.version() <= wanted.version()) {
                return CompletableFuture.completedFuture(false);
            }
            Optional<Map<PartitionId, Member>> made = membersOf(layout);
            if (made.isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            Map<PartitionId, Member> next = made.get();
            unwanted = members.values().stream()
                    .filter(member -> !next.containsValue(member) && !present.containsValue(member))
                    .map(Member::partition)
                    .toList();
            members = next;
            wanted = layout;
            joined = CompletableFuture.allOf(
                    next.values().stream().map(Member::joined).toArray(CompletableFuture<?>[]::new));
        }
        unwanted.forEach(partition -> leave(partition, layout.slotMap()));
        limit(joined);
        return joined.thenApply(over -> adopt(layout));
    }

    /** Returns the members by this layout, of which some may be new; empty if one of them cannot be made. */
    private Optional<Map<PartitionId, Member>> membersOf(Layout layout) {
        Map<PartitionId, Member> next = new LinkedHashMap<>();
        List<Partition> made = new ArrayList<>();
        try {
            for (PartitionOptions options : layout.partitions()) {
                Member known = known(options);
                if (known == null) {
                    Partition partition = made(options, layout);
                    made.add(partition);
                    known = new Member(options, partition, partition.join());
                }
                next.put(options.name(), known);
            }
            return Optional.of(next);
        } catch (RuntimeException e) {
            LOG.error(
                    "Version {} of the slot map is not adopted: one of its partitions cannot be", layout.version(), e);
            made.forEach(Partition::close);
            return Optional.empty();
        }
    }

    /** One that is asked at present may come back before it has left, and with it what it has to delete. */
    private @Nullable Member known(PartitionOptions options) {
        Member asked = present.get(options.name());
        if (asked != null && asked.isAt(options)) {
            return asked;
        }
        Member onItsWay = members.get(options.name());
        return onItsWay != null && onItsWay.isAt(options) ? onItsWay : null;
    }

    private void limit(CompletableFuture<Void> joined) {
        if (!joined.isDone()) {
            timing.schedule(() -> joined.complete(null), LONGEST_JOIN.toNanos())
                    .ifPresent(timer -> Futures.whenOver(joined, (over, failure) -> timer.cancel(false)));
        }
    }

    private boolean adopt(Layout layout) {
        List<Partition> before;
        Topology now;
        synchronized (changing) {
            if (closed || layout.version() != wanted.version()) {
                return false; // the newer one is on its way, and has the same partitions or has given them up
            }
            Topology older = newest;
            before = older.partitions();
            now = topology(layout, members);
            present = members;
            observer.changes(older, now);
            handOver(older, now); // before anybody asks the new owners
            newest = now;
        }
        List<Partition> partitions = now.partitions();
        for (Partition partition : partitions) {
            CompletableFuture<Void> unused = partition.announce(layout.slotMap());
        }
        before.stream()
                .filter(partition -> !partitions.contains(partition))
                .forEach(partition -> leave(partition, layout.slotMap()));
        return true;
    }

    /**
     * What is owed for slots that another partition gets is owed by that one: it may have got what was to be deleted. What the
     * one that does not own a slot owes for it, while the slot is on its way, is nobody's: what it had of the slot is gone. If
     * nobody knows any more what is owed, whoever gets a slot has to give up everything.
     */
    private static void handOver(Topology older, Topology now) {
        now.partitions().forEach(partition -> routeBy(now, partition));
        for (Partition partition : older.partitions()) {
            PartitionId id = partition.id();
            if (partition.hasEverythingPending()) {
                now.takersFrom(id, older).forEach(Partition::forgetEverything);
            }
            partition.clearLaterAt(() -> now.takersFrom(id, older));
            Map<Partition, List<EncodedKey>> byOwner = new LinkedHashMap<>();
            partition
                    .release(key -> now.hasTakenFrom(id, key, older))
                    .forEach(key -> now.ownerOf(key)
                            .ifPresent(owner -> byOwner.computeIfAbsent(owner, first -> new ArrayList<>())
                                    .add(key)));
            partition.release(key -> now.isOtherEnd(id, key));
            byOwner.forEach(Partition::forget);
        }
    }

    private void leave(Partition partition, SlotMap without) {
        leaving.add(partition);
        Futures.whenOver(partition.leave(without), (answered, failure) -> {
            leaving.remove(partition);
            partition.close();
        });
    }

    /** Gives all partitions up. Does nothing the second time. */
    @Override
    public void close() {
        List<Runnable> all = new ArrayList<>();
        synchronized (changing) {
            if (closed) {
                return;
            }
            closed = true;
            newest.partitions().forEach(partition -> all.add(partition::close));
            members.values().forEach(member -> all.add(member.partition()::close));
        }
        leaving.forEach(partition -> all.add(partition::close));
        Closing.all(all);
    }
}
