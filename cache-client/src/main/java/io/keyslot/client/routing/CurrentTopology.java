// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.health.Partition;
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
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest topology known to this process, with the transition to the next one during calls. Thread-safe.
 *
 * <ul>
 *   <li>Slot map and partitions change in one step; a reader sees both of one layout.
 *   <li>Before a new partition receives commands, it has been checked and has made its first connect, or its time is
 *       over. If it does not answer or rejects this client, it is missing, and still owns its slots.
 *   <li>After the change, all partitions, including those that have left, receive the version of the new map: commands
 *       routed by an older map are no longer sent, and are routed again.
 *   <li>A partition that has left is closed when all commands sent before are answered.
 *   <li>The pending deletes of a partition pass to the new owners of its slots.
 *   <li>Of several layouts offered during a change, only the newest is adopted.
 * </ul>
 */
public final class CurrentTopology implements AutoCloseable {
    /** The maximum time that a layout waits for its new partitions. */
    static final Duration LONGEST_JOIN = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(CurrentTopology.class);

    private final Function<PartitionOptions, Partition> maker;
    private final Timing timing;
    private volatile Partition.NewerMaps newerMaps = new Partition.NewerMaps() {};
    private final Object changing = new Object();
    private volatile BiConsumer<Topology, Topology> listener = (older, newer) -> {};
    private volatile Topology newest; // written while holding changing

    /** The members of the newest topology. Guarded by changing. */
    private Map<PartitionId, Member> present;

    /** The newest layout that was offered. Guarded by changing. */
    private Layout wanted;

    /** Its members, some of which may not be connected yet. Guarded by changing. */
    private Map<PartitionId, Member> members;

    private boolean closed; // guarded by changing

    /** Partitions that have left but still have unanswered commands. */
    private final Set<Partition> leaving = ConcurrentHashMap.newKeySet();

    private record Member(PartitionOptions options, Partition partition, CompletableFuture<Void> joined) {
        boolean isAt(PartitionOptions other) {
            return Objects.equals(options.uri(), other.uri());
        }
    }

    /**
     * Creates the first topology. Nothing is connected before {@link #start}; closing this closes the partitions. The
     * maker creates a partition that does nothing yet, and throws if its options are invalid.
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
        Topology firstTopology = topology(first, members, null);
        this.newest = firstTopology;
        firstTopology.partitions().forEach(firstTopology::route);
    }

    private Partition made(PartitionOptions options, Layout layout) {
        Partition partition = maker.apply(options);
        partition.listen(newerMaps);
        CompletableFuture<Void> unused = partition.announce(layout.slotMap());
        return partition;
    }

    /** Sets the source, which receives reports about newer layouts; call it before {@link #start}. */
    public void ask(Partition.NewerMaps source) {
        newerMaps = source;
        newest.partitions().forEach(partition -> partition.listen(source));
    }

    /**
     * Sets a listener, which is called with the older and the newer topology before the newer one becomes visible. It must not block or throw. Call this before {@link #start}.
     */
    public void listen(BiConsumer<Topology, Topology> only) {
        listener = only;
    }

    private static Topology topology(Layout layout, Map<PartitionId, Member> members, @Nullable Topology older) {
        Map<PartitionId, Partition> partitions = new LinkedHashMap<>();
        layout.partitions()
                .forEach(options -> partitions.put(
                        options.name(),
                        Objects.requireNonNull(members.get(options.name())).partition()));
        return new Topology(layout, partitions, older);
    }

    /** Returns the newest topology. Costs one volatile read. */
    public Topology get() {
        return newest;
    }

    /**
     * Connects to all partitions, once all reachable ones have passed a check: if a server rejects this client, nothing
     * is written anywhere. The future completes when each reached partition is healthy or has failed once, at most
     * {@link Start#LONGEST_CONNECT} after the given time. The others stay missing until they are healthy. The result
     * are the rejections; if there are any, the topology must not be used, except with {@code despiteRejections}, which
     * connects the others.
     */
    public CompletableFuture<List<ConnectFailure>> start(Duration wait, boolean despiteRejections) {
        return new Start(newest.partitions(), timing).run(wait, despiteRejections);
    }

    /**
     * Adopts the layout unless one of the same or a higher version is known: at once if no partition is new, else when
     * the new ones may receive commands. The future has whether it was adopted. Neither throws nor blocks.
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

    /** A partition that returns before it has left is reused, with its pending deletes. */
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
                return false; // superseded; the newer one has the same partitions or has closed them
            }
            Topology older = newest;
            before = older.partitions();
            now = topology(layout, members, older);
            present = members;
            listener.accept(older, now);
            handOver(older, now); // before the new owners receive commands
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
     * Passes the pending deletes of a slot to its new owner, which may have received the outdated value. While a slot
     * moves, pending deletes of a partition that does not own it are dropped, because that partition no longer has
     * values of the slot. After an overflow, the new owners must invalidate everything.
     */
    private static void handOver(Topology older, Topology now) {
        now.partitions().forEach(now::route);
        for (Partition partition : older.partitions()) {
            PartitionId id = partition.id();
            if (partition.hasEverythingPending()) {
                now.takersFrom(id, older).forEach(Partition::forgetEverything);
            }
            partition.clearLaterAt(() -> now.takersFrom(id, older));
            List<EncodedKey> taken = partition.release(key -> now.hasTakenFrom(id, key, older));
            partition.release(key -> now.isOtherEnd(id, key));
            now.forget(taken);
        }
    }

    private void leave(Partition partition, SlotMap without) {
        leaving.add(partition);
        Futures.whenOver(partition.leave(without), (answered, failure) -> {
            leaving.remove(partition);
            partition.close();
        });
    }

    /** Closes all partitions. Idempotent. */
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
