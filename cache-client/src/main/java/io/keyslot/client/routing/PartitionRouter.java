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
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.stored.EncodedKey;
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
 * Sends commands to where their keys live, and counts them if somebody wants to know. Safe for use by any number of threads.
 *
 * <ul>
 *   <li>Nothing here but {@link #close} throws, and nothing blocks: every failure is a reply.
 *   <li>Every command gets exactly one reply, about at its deadline at the latest, as long as the engines keep to the
 *       command timeout.
 *   <li>Continuations of the futures may run on a thread that does I/O or on the scheduler: they must be short and must
 *       not call the application's code.
 *   <li>A partition that is missing makes calls for its own slots fail, at once, and no others.
 * </ul>
 */
public final class PartitionRouter implements Channel, AutoCloseable {
    private final CurrentTopology topology;
    private final Timing timing;
    private final RetryPauses pauses;
    private final Channel channel;
    private final Set<WriteListener> listeners = new LinkedHashSet<>(); // guarded by this
    private volatile @Nullable WriteListener writes; // null as long as nobody is interested
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates a router that does nothing before {@link #start}. It closes the partitions when it is closed.
     *
     * @param topology who owns what, and whom to ask; who hears of a newer layout offers it there
     * @param commandTimeout within which the partitions' engines answer
     */
    public PartitionRouter(CurrentTopology topology, Timing timing, Duration commandTimeout, CommandObserver observer) {
        this(topology, timing, commandTimeout, observer, null, null);
    }

    /**
     * As above.
     *
     * @param sampler counts the calls of each slot; null for none
     * @param follower follows commands from their beginning; null if nobody does
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
        this.channel = channels(commandTimeout, observer, sampler, follower);
    }

    private Channel channels(
            Duration commandTimeout,
            CommandObserver observer,
            @Nullable TrafficSampler sampler,
            @Nullable CommandFollower follower) {
        Channel channel = new OwnerChannel(topology); // innermost: a redirect is not a failed attempt
        // Inside the retries: it is known for each attempt whether it was sent, and pauses end before the deadline.
        channel = new DeadlineChannel(channel, timing, commandTimeout);
        channel = new RetryChannel(channel, pauses);
        if (!observer.equals(CommandObserver.NONE)) {
            channel = new ObservedChannel(channel, observer, topology, timing.ticker()); // times what the caller waits
        }
        if (follower != null) {
            channel = new TracingChannel(channel, follower, topology);
        }
        channel = new NeverThrowChannel(channel);
        channel = new BulkChannel(channel, topology, pauses);
        return sampler == null
                ? channel
                : new TrafficChannel(channel, sampler, key -> topology.get().slotOf(key));
    }

    /** As {@link CurrentTopology#start}. */
    public CompletableFuture<List<ConnectFailure>> start(Duration wait) {
        return topology.start(wait);
    }

    /** As {@link CurrentTopology#offer}. Calls that wait because of a move are sent again by what is adopted. */
    public CompletableFuture<Boolean> offer(Layout layout) {
        return topology.offer(layout).thenApply(adopted -> {
            if (adopted) {
                pauses.endThoseOfMoves();
            }
            return adopted;
        });
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        return published(call.command(), channel.send(call));
    }

    /** Sends a command about keys of one slot to its owner. */
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        return send(Call.of(key, command, patience));
    }

    /** Sends a command to a partition, whatever slots it owns, such as a scan. */
    public <R> CompletableFuture<Reply<R>> sendTo(PartitionId partition, Command<R> command, Patience patience) {
        return send(Call.of(partition, command, patience));
    }

    /** Adds a listener for the keys of writes of this process. Does nothing if it was added before. */
    public synchronized void addListener(WriteListener listener) {
        if (listeners.add(listener)) {
            List<WriteListener> all = List.copyOf(listeners);
            writes = all.size() == 1 ? listener : keys -> all.forEach(each -> each.written(keys));
        }
    }

    /** A caller that waits for the returned future waits until the listeners were called. */
    private <R> CompletableFuture<Reply<R>> published(Command<R> command, CompletableFuture<Reply<R>> reply) {
        WriteListener listener = writes;
        if (listener == null || !command.isWrite()) {
            return reply;
        }
        List<EncodedKey> keys = CallSize.keysOf(command);
        if (reply.isDone()) {
            listener.written(keys);
            return reply;
        }
        return reply.whenComplete((over, failure) -> listener.written(keys));
    }

    /**
     * Has the values stored under these keys deleted, for instance because a write may or may not have been done: at once
     * where the partition is connected, and before it is asked again where it is not. Nothing that is sent after this call
     * is answered with them. Neither throws nor blocks.
     *
     * <p>There is a limit to how much each partition remembers. Beyond it, the partition forgets everything it has stored.
     * A key whose slot has no owner is passed over: nobody is asked for it.
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

    /** Has all entries of a cache at one partition removed in the background: see {@link Partition#clearLater}. */
    public void clearLater(PartitionId partition, String prefix, UnaryOperator<EncodedKey> asOfCache) {
        Partition known = topology.get().partition(partition);
        if (known != null) {
            known.clearLater(prefix, asOfCache);
        }
    }

    /** After the deletions: what is read from now on comes behind them. */
    private void forgotten(List<EncodedKey> keys) {
        WriteListener listener = writes;
        if (listener != null) {
            listener.written(keys);
        }
    }

    /**
     * Returns whether a value that was loaded for this key shall be stored. A partition that has just come back stores few of
     * them at first, chosen by chance, and within a second all.
     */
    public boolean admitsLoad(EncodedKey key) {
        return topology.get().ownerOf(key).map(Partition::admitsLoad).orElse(true);
    }

    /** Returns who owns the slot of a key, or empty if nobody does or the key has no place. */
    public Optional<PartitionId> ownerOf(EncodedKey key) {
        Place place = topology.get().placeOf(key);
        return place == null ? Optional.empty() : Optional.of(place.id());
    }

    /** Returns the slot in which a key is stored. */
    public int slotOf(EncodedKey key) {
        return topology.get().slotOf(key);
    }

    /** Returns why nobody is asked for a key of which {@link #ownerOf} says that nobody owns it, and what to do. */
    public String whyUnavailable(EncodedKey key) {
        return topology.get().whyUnavailable(key);
    }

    /** Returns what is known of a command to a slot, with where its owner is if that is not said. */
    public String located(EncodedKey key, String detail) {
        return ownerOf(key).map(owner -> located(owner, detail)).orElse(detail);
    }

    /** As {@link #located(EncodedKey, String)}, for a command to a partition. */
    public String located(PartitionId asked, String detail) {
        Partition partition = topology.get().partition(asked);
        String name = Partition.nameOf(asked);
        if (partition == null || (detail.startsWith("partition ") && !detail.startsWith(name + ": "))) {
            return detail;
        }
        String rest = detail.startsWith(name + ": ") ? detail.substring(name.length() + 2) : detail;
        return partition.place() + ": " + rest;
    }

    /** Returns the newest topology. */
    public Topology topology() {
        return topology.get();
    }

    /** Returns the newest layout. */
    public Layout layout() {
        return topology.get().layout();
    }

    /** Returns the newest slot map. */
    public SlotMap slotMap() {
        return topology.get().slotMap();
    }

    /** Returns how each partition is, in the order in which they were given. */
    public List<PartitionStatus> statuses() {
        Topology now = topology.get();
        return now.partitions().stream()
                .map(partition -> partition.status(now.slotMap().slotsOf(partition.id())))
                .toList();
    }

    /** Returns the epoch of the partition's present life, or of the last one; 0 if it was never reached. */
    public int epochOf(PartitionId partition) {
        Partition known = topology.get().partition(partition);
        return known == null ? 0 : known.epoch();
    }

    /** Gives all partitions up; what was waiting for another attempt is refused. Does nothing the second time. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Closing.all(List.of(topology::close, pauses::close));
        }
    }
}
