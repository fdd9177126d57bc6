// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to the owners of their keys. Thread-safe.
 *
 * <ul>
 *   <li>No method except {@link #close} throws, and none blocks: every failure is a reply.
 *   <li>Every command gets exactly one reply, roughly by its deadline at the latest, as long as the engines keep to the
 *       command timeout.
 *   <li>Continuations of the futures may run on an I/O thread or the scheduler: they must be short and must not call
 *       application code.
 *   <li>A missing partition fails the calls for its own slots at once, and no others.
 * </ul>
 */
public final class PartitionRouter implements AutoCloseable {
    private final CurrentTopology topology;
    private final Timing timing;
    private final RetryPauses pauses;
    private final CommandSender sender;
    private final @Nullable CountedCalls counted;
    private final Set<WriteListener> listeners = new LinkedHashSet<>(); // guarded by this
    private volatile @Nullable WriteListener writes; // null if there is no listener
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Creates a router that does nothing before {@link #start}. Closing it closes the partitions. */
    public PartitionRouter(CurrentTopology topology, Timing timing, Duration commandTimeout, CommandObserver observer) {
        this(topology, timing, commandTimeout, observer, null, null);
    }

    /**
     * Creates a router with a sampler for the calls of each slot and a follower of commands, each of which may be null.
     */
    public PartitionRouter(
            CurrentTopology topology,
            Timing timing,
            Duration commandTimeout,
            CommandObserver observer,
            @Nullable TrafficSampler sampler,
            @Nullable CommandFollower follower) {
        this.topology = topology;
        this.timing = timing;
        this.pauses = new RetryPauses(timing);
        this.sender = layers(commandTimeout, observer, follower);
        this.counted = sampler == null
                ? null
                : new CountedCalls(sampler, key -> topology.get().slotOf(key));
    }

    private CommandSender layers(
            Duration commandTimeout, CommandObserver observer, @Nullable CommandFollower follower) {
        CommandSender layers = new RoutingSender(topology); // innermost: a redirect is not a failed attempt
        // Inside the retries: each attempt knows whether it was sent, and pauses end before the deadline.
        layers = new DeadlineSender(layers, timing, commandTimeout);
        layers = new RetryingSender(layers, pauses);
        if (!observer.equals(CommandObserver.NONE)) {
            layers = new ObservedSender(layers, observer, topology, timing.ticker()); // measures what the caller waits
        }
        if (follower != null) {
            layers = new FollowingSender(layers, follower, topology);
        }
        return new NeverThrowSender(layers); // outermost: callers may rely on it
    }

    public CompletableFuture<List<ConnectFailure>> start(Duration wait) {
        return topology.start(wait);
    }

    /**
     * Offers a layout like {@link CurrentTopology#offer}. Once it is adopted, calls that wait for a move are retried.
     */
    public CompletableFuture<Boolean> offer(Layout layout) {
        return topology.offer(layout).thenApply(adopted -> {
            if (adopted) {
                pauses.endThoseOfMoves();
            }
            return adopted;
        });
    }

    /** Sends a command about keys of one slot, one of which is given, to the owner of the slot. */
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        CompletableFuture<Reply<R>> reply = sender.send(new Call<>(new Target.Home(key), command, patience));
        if (counted != null) {
            counted.note(key, command, reply);
        }
        return told(command, reply);
    }

    public synchronized void tell(WriteListener listener) {
        if (listeners.add(listener)) {
            List<WriteListener> all = List.copyOf(listeners);
            writes = all.size() == 1 ? listener : keys -> all.forEach(each -> each.written(keys));
        }
    }

    private <R> CompletableFuture<Reply<R>> told(Command<R> command, CompletableFuture<Reply<R>> reply) {
        WriteListener listener = writes;
        return listener == null || !command.isWrite() ? reply : told(listener, CallSize.keysOf(command), reply);
    }

    /** The returned future completes only after the listener was called. */
    private static <T> CompletableFuture<T> told(
            WriteListener listener, List<EncodedKey> keys, CompletableFuture<T> replies) {
        if (replies.isDone()) {
            listener.written(keys);
            return replies;
        }
        return replies.whenComplete((over, failure) -> listener.written(keys));
    }

    /** Sends a command to a partition, such as a scan, regardless of its slots. */
    public <R> CompletableFuture<Reply<R>> sendTo(PartitionId partition, Command<R> command, Patience patience) {
        return told(command, sender.send(new Call<>(new Target.Whole(partition), command, patience)));
    }

    /** Reads entries from their partitions in parallel. The replies are in the order of the keys. */
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience) {
        return bulk(BulkKinds.GET, keys, patience);
    }

    public CompletableFuture<List<Reply<TrackedLookup>>> getAllTracked(List<EncodedKey> keys, Patience patience) {
        return bulk(BulkKinds.GET_TRACKED, keys, patience);
    }

    /**
     * Stores entries; the replies, in their order, have whether each was stored. With duplicate keys, either may be
     * last.
     */
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience) {
        return bulk(BulkKinds.PUT, puts, patience);
    }

    /**
     * Removes the values of these keys; the replies, in their order, confirm it but do not tell whether there was an
     * entry.
     */
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience) {
        return bulk(BulkKinds.REMOVE, keys, patience);
    }

    /**
     * Deletes the values of these keys, for example after a write with an unknown outcome: at once at connected
     * partitions, else right after the next connect. Commands sent after this call do not see them. Neither throws nor
     * blocks.
     *
     * <p>Beyond a maximum number of such keys, a partition invalidates everything it has stored. Keys whose slot has no
     * owner are skipped: they cannot be read.
     */
    public void forget(List<EncodedKey> keys) {
        Topology now = topology.get();
        Map<Partition, List<EncodedKey>> owned = new LinkedHashMap<>();
        for (EncodedKey key : keys) {
            now.ownerOf(key)
                    .ifPresent(owner -> owned.computeIfAbsent(owner, first -> new ArrayList<>())
                            .add(key));
        }
        owned.forEach(Partition::forget);
        forgotten(keys);
    }

    /** Removes all entries of a cache at one partition in the background; see {@link Partition#clearLater}. */
    public void clearLater(PartitionId partition, String prefix, UnaryOperator<EncodedKey> asOfCache) {
        Partition known = topology.get().partition(partition);
        if (known != null) {
            known.clearLater(prefix, asOfCache);
        }
    }

    /** After the deletions, so that later reads are ordered after them. */
    private void forgotten(List<EncodedKey> keys) {
        WriteListener listener = writes;
        if (listener != null) {
            listener.written(keys);
        }
    }

    public boolean admitsLoad(EncodedKey key) {
        return topology.get().ownerOf(key).map(Partition::admitsLoad).orElse(true);
    }

    private <I, A, R> CompletableFuture<List<Reply<R>>> bulk(BulkKind<I, A, R> kind, List<I> items, Patience patience) {
        CompletableFuture<List<Reply<R>>> replies =
                new BulkCall<>(sender, topology, pauses, kind, items, patience).send();
        if (counted != null) {
            counted.note(kind, items, replies);
        }
        WriteListener listener = writes;
        return listener == null || !kind.isWrite()
                ? replies
                : told(listener, items.stream().map(kind::keyOf).toList(), replies);
    }

    public Optional<PartitionId> ownerOf(EncodedKey key) {
        Place place = topology.get().placeOf(key);
        return place == null ? Optional.empty() : Optional.of(place.id());
    }

    public int slotOf(EncodedKey key) {
        return topology.get().slotOf(key);
    }

    public String whyUnavailable(EncodedKey key) {
        return topology.get().whyUnavailable(key);
    }

    /** Returns the detail of a reply, with the owner's address unless it has one. */
    public String located(EncodedKey key, String detail) {
        return ownerOf(key).map(owner -> located(owner, detail)).orElse(detail);
    }

    public String located(PartitionId asked, String detail) {
        Partition partition = topology.get().partition(asked);
        String name = Partition.nameOf(asked);
        if (partition == null || (detail.startsWith("partition ") && !detail.startsWith(name + ": "))) {
            return detail;
        }
        String rest = detail.startsWith(name + ": ") ? detail.substring(name.length() + 2) : detail;
        return partition.place() + ": " + rest;
    }

    public Topology topology() {
        return topology.get();
    }

    public Layout layout() {
        return topology.get().layout();
    }

    public SlotMap slotMap() {
        return topology.get().slotMap();
    }

    public List<PartitionStatus> statuses() {
        Topology now = topology.get();
        return now.partitions().stream()
                .map(partition -> partition.status(now.slotMap().slotsOf(partition.id())))
                .toList();
    }

    /** Returns the epoch of the partition's present or last incarnation; 0 if it was never reached. */
    public int epochOf(PartitionId partition) {
        Partition known = topology.get().partition(partition);
        return known == null ? 0 : known.epoch();
    }

    /** Closes all partitions and refuses commands that wait for a retry. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Closing.all(List.of(topology::close, pauses::close));
        }
    }
}
