// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
public final class PartitionRouter implements Channel, AutoCloseable {
    private final CurrentTopology topology;
    private final Timing timing;
    private final RetryPauses pauses;
    private final Channel channel;
    private final @Nullable TrafficSampler sampler;
    private final Set<WriteListener> listeners = new LinkedHashSet<>(); // guarded by this
    private volatile @Nullable WriteListener writes; // null if there is no listener
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Creates a router that does nothing before {@link #start}. Closing it closes the partitions. */
    public PartitionRouter(CurrentTopology topology, Timing timing, Duration commandTimeout, Telemetry telemetry) {
        this(topology, timing, commandTimeout, telemetry, null);
    }

    /** Creates a router with a sampler for the calls of each slot, which may be null. */
    public PartitionRouter(
            CurrentTopology topology,
            Timing timing,
            Duration commandTimeout,
            Telemetry telemetry,
            @Nullable TrafficSampler sampler) {
        this.topology = topology;
        this.timing = timing;
        this.pauses = new RetryPauses(timing);
        this.sampler = sampler;
        this.channel = channels(commandTimeout, telemetry, sampler);
    }

    private Channel channels(Duration commandTimeout, Telemetry telemetry, @Nullable TrafficSampler sampler) {
        Channel channel = new OwnerChannel(
                topology, new ColdKeys(timing.random())); // innermost: a redirect is not a failed attempt
        // Inside the retries: it is known for each attempt whether it was sent, and pauses end before the deadline.
        channel = new DeadlineChannel(channel, timing, commandTimeout.toNanos());
        channel = new RetryChannel(channel, pauses);
        if (telemetry.receivesCommands()) {
            // It times what the caller waits.
            channel = new TelemetryChannel(channel, telemetry, topology, timing.ticker(), new LogPace(timing.ticker()));
        }
        channel = new NeverThrowChannel(channel);
        channel = new BulkChannel(channel, topology, pauses);
        return sampler == null
                ? channel
                : new TrafficChannel(channel, sampler, key -> topology.get().slotOf(key), timing.ticker());
    }

    /** Returns the sampler of calls, or null if this client reports none. */
    public @Nullable TrafficSampler sampler() {
        return sampler;
    }

    public CompletableFuture<List<ConnectFailure>> start(Duration wait) {
        return topology.start(wait, false);
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

    @Override
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        CompletableFuture<Reply<R>> reply = channel.send(call);
        WriteListener listener = writes;
        return listener == null || !call.command().isWrite() ? reply : published(call.command(), reply, listener);
    }

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
    private static <R> CompletableFuture<Reply<R>> published(
            Command<R> command, CompletableFuture<Reply<R>> reply, WriteListener listener) {
        List<EncodedKey> keys = CallSize.keysOf(command);
        if (reply.isDone()) {
            listener.written(keys);
            return reply;
        }
        return reply.whenComplete((over, failure) -> listener.written(keys));
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
        topology.get().forget(keys);
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

    /** Returns the owner of a slot of a key; empty if there is none, or a placement refuses the key. */
    public Optional<PartitionId> ownerOf(EncodedKey key) {
        Topology.Place place = topology.get().placeOf(key);
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

    /**
     * Converts every exception, thrown or in a future, to an unknown outcome, so that a bug below still yields a reply. An
     * {@link Error} is passed on.
     */
    record NeverThrowChannel(Channel next) implements Channel {
        @Override
        public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
            CompletableFuture<Reply<R>> reply;
            try {
                reply = next.send(call);
            } catch (RuntimeException e) {
                return CompletableFuture.completedFuture(unexpected(call, e));
            }
            return Futures.valueOf(reply) == null ? reply.exceptionally(failure -> unexpected(call, failure)) : reply;
        }

        private static <R> Reply<R> unexpected(Call<R> call, Throwable failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof Error error) {
                throw error;
            }
            return Reply.unknown(
                    "unexpected %s during %s to %s"
                            .formatted(
                                    cause.getClass().getSimpleName(),
                                    call.command().name(),
                                    call.destination()),
                    cause);
        }
    }
}
