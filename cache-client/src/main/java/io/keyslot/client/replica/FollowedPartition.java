// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.replica.ReadPreference;
import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.routing.CurrentTopology;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A partition with the replicas of its server. While it is read, regular rounds measure the lag: the primary writes a
 * heartbeat, and the replicas are asked for it. The rounds stop when there are no reads for a while. Thread-safe; no
 * method blocks.
 */
final class FollowedPartition implements AutoCloseable {
    /** The rounds stop after this time without a read. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    /** The primary's index in the order of the servers; the replicas follow. */
    private static final int PRIMARY = 0;

    private final PartitionId id;
    private final boolean isInZone;
    private final CurrentTopology topology;
    private final Timing timing;
    private final Telemetry telemetry;
    private final List<ReplicaLink> links;
    private final List<Telemetry.Replica> shown;
    final ReplicaLag times = new ReplicaLag();
    private final ReplicaLink.RoundTrip roundTrip = new ReplicaLink.RoundTrip(); // of the primary
    private final AtomicBoolean isRunning = new AtomicBoolean();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile Ranking ranking;
    private volatile long paceNanos; // the interval of rounds
    private volatile long readNanos;
    private volatile int epoch; // at the primary, from the last round
    private volatile boolean closed;

    FollowedPartition(
            PartitionId id,
            boolean isInZone,
            CurrentTopology topology,
            Timing timing,
            Telemetry telemetry,
            List<ReplicaLink> links,
            long paceNanos) {
        this.id = id;
        this.isInZone = isInZone;
        this.topology = topology;
        this.timing = timing;
        this.telemetry = telemetry;
        this.links = List.copyOf(links);
        this.shown = this.links.stream().map(this::show).toList();
        this.paceNanos = paceNanos;
        this.ranking = Ranking.of(1 + links.size());
        shown.forEach(telemetry::onReplicaOpened);
    }

    private Telemetry.Replica show(ReplicaLink link) {
        return new Telemetry.Replica(
                id,
                link.connector.address(),
                () -> isRunning.get() ? ageOf(link).orElse(-1) : -1,
                () -> link.roundTripNanos() == Long.MAX_VALUE ? -1 : link.roundTripNanos());
    }

    /** Returns the maximum age of a replica's data, from its last answer; empty if unknown. */
    private OptionalLong ageOf(ReplicaLink link) {
        ReplicaCommand.Heartbeat seen = link.seen();
        OptionalLong time = seen == null
                ? OptionalLong.empty()
                : times.notBefore(seen, link.epoch(), topology.get().version());
        return time.isPresent() ? OptionalLong.of(timing.ticker().nanos() - time.getAsLong()) : time;
    }

    void go(long newestNanos) {
        paceNanos = newestNanos;
    }

    Choice choose(ReadPreference preference, long stalestNanos, Topology now) {
        read();
        return switch (preference) {
            case REPLICA -> inTurn(stalestNanos, now);
            case NEAREST -> nearest(stalestNanos, now);
        };
    }

    private void read() {
        readNanos = timing.ticker().nanos();
        if (isRunning.compareAndSet(false, true)) {
            round();
        }
    }

    private Choice inTurn(long stalestNanos, Topology now) {
        int start = turn.getAndIncrement() & Integer.MAX_VALUE;
        long version = topology.get().version();
        ReplicaAnswer why = ReplicaAnswer.NOT_CONNECTED;
        for (int i = 0; i < links.size(); i++) {
            ReplicaLink link = links.get((start + i) % links.size());
            ReplicaAnswer objection = objection(link, version, stalestNanos);
            if (objection == ReplicaAnswer.REPLICA) {
                return new Choice(objection, new Attempt(this, link, now));
            }
            why = nearer(why, objection);
        }
        return Choice.primary(why);
    }

    private Choice nearest(long stalestNanos, Topology now) {
        long version = topology.get().version();
        ReplicaAnswer why = null;
        for (int server : ranking.order()) {
            if (server == PRIMARY) {
                if (isAsked()) {
                    return Choice.primary(why == null ? ReplicaAnswer.NEARER_PRIMARY : why);
                }
                continue;
            }
            ReplicaLink link = links.get(server - 1);
            ReplicaAnswer objection = objection(link, version, stalestNanos);
            if (objection == ReplicaAnswer.REPLICA) {
                return new Choice(objection, new Attempt(this, link, now));
            }
            why = why == null ? objection : nearer(why, objection);
        }
        return Choice.primary(why == null ? ReplicaAnswer.NOT_CONNECTED : why);
    }

    /** Returns why a replica must not be read, or {@link ReplicaAnswer#REPLICA}. */
    private ReplicaAnswer objection(ReplicaLink link, long version, long stalestNanos) {
        ReplicaCommand.Heartbeat seen = link.seen();
        if (seen == null) {
            return link.isConnected() ? ReplicaAnswer.NOT_MEASURED : ReplicaAnswer.NOT_CONNECTED;
        }
        OptionalLong time = times.notBefore(seen, link.epoch(), version);
        if (time.isPresent()) {
            return readNanos - time.getAsLong() <= stalestNanos ? ReplicaAnswer.REPLICA : ReplicaAnswer.TOO_OLD;
        }
        return unknown(seen, link.epoch());
    }

    ReplicaAnswer unknown(ReplicaCommand.Heartbeat heartbeat, int readBy) {
        return times.isOfOther(heartbeat, readBy) ? ReplicaAnswer.OTHER_LIFE : ReplicaAnswer.NOT_MEASURED;
    }

    /** Returns the objection of the replica that came closer to being read. */
    private static ReplicaAnswer nearer(ReplicaAnswer one, ReplicaAnswer other) {
        for (ReplicaAnswer answer :
                List.of(ReplicaAnswer.TOO_OLD, ReplicaAnswer.NOT_MEASURED, ReplicaAnswer.OTHER_LIFE)) {
            if (one == answer || other == answer) {
                return answer;
            }
        }
        return one;
    }

    /**
     * Returns the slot of the partition's heartbeat, where servers move slots: its first slot, so that all clients with
     * the same slot map use the same one.
     */
    private int heartbeatSlot(Topology now) {
        return now.layout().isOfServers() && isOwner(now)
                ? now.slotMap().rangesOf(id).get(0).first()
                : ReplicaCommand.NO_SLOT;
    }

    private boolean isOwner(Topology now) {
        return !now.slotMap().rangesOf(id).isEmpty();
    }

    /** Where servers own slots, a node without slots cannot have a heartbeat. */
    private boolean hasHeartbeat(Topology now) {
        return !now.layout().isOfServers() || isOwner(now);
    }

    /** Returns whether the key has a pending delete at the primary, now or at this time. */
    boolean hasPending(EncodedKey key, long nanos) {
        Partition known = topology.get().partition(id);
        return known == null || known.hasPending(key, nanos);
    }

    private boolean isAsked() {
        Partition primary = topology.get().partition(id);
        return primary != null && primary.isAsked();
    }

    private void round() {
        long began = timing.ticker().nanos();
        if (closed || began - readNanos > IDLE.toNanos()) {
            isRunning.set(false);
            return;
        }
        long pace = paceNanos;
        Topology now = topology.get();
        Partition primary = now.partition(id);
        // Order matters: a deletion done before this check is done before the heartbeat is requested. One that begins
        // after the check counts as a later own write.
        if (primary == null || !primary.hasNothingPending() || !hasHeartbeat(now)) {
            look();
            again(began, pace);
            return;
        }
        Futures.whenOver(
                primary.send(
                        new ReplicaCommand.KeepHeartbeat(Duration.ofNanos(pace / 2), heartbeatSlot(now)),
                        Route.plain(now.version()),
                        Patience.UNLIMITED),
                (reply, failure) -> {
                    if (reply instanceof Reply.Done<ReplicaCommand.Kept> done) {
                        times.kept(done.value(), began, now.version());
                        roundTrip.took(timing.ticker().nanos() - began);
                        epoch = done.value().epoch();
                    }
                    look();
                    again(began, pace);
                });
    }

    /** Asks the replicas, even if the primary does not answer. */
    private void look() {
        int wanted = epoch;
        int slot = heartbeatSlot(topology.get());
        if (wanted != 0) {
            links.forEach(link -> link.look(wanted, slot));
        }
        List<Ranking.Server> servers = new ArrayList<>();
        servers.add(new Ranking.Server(isInZone, roundTrip.nanos()));
        links.forEach(link -> servers.add(link.asServer()));
        ranking = ranking.next(servers);
    }

    private void again(long began, long pace) {
        long pause = Math.max(pace / 10, began + pace - timing.ticker().nanos());
        if (timing.schedule(this::round, pause).isEmpty()) {
            isRunning.set(false);
        }
    }

    /** Ends the reports about its replicas before a successor starts. Idempotent. */
    void hide() {
        shown.forEach(telemetry::onReplicaClosed);
    }

    @Override
    public void close() {
        closed = true;
        hide();
        links.forEach(ReplicaLink::close);
    }

    record Attempt(FollowedPartition partition, ReplicaLink link, Topology now) {
        CompletableFuture<Reply<ReplicaLink.Read>> read(List<EncodedKey> keys, Patience patience) {
            return link.read(keys, partition.heartbeatSlot(now), patience);
        }
    }

    /**
     * The server for some reads: a replica, or the primary if {@code attempt} is null, with the reason.
     * {@link ReplicaAnswer#REPLICA} stands for a replica.
     */
    record Choice(ReplicaAnswer why, @Nullable Attempt attempt) {
        static Choice primary(ReplicaAnswer why) {
            return new Choice(why, null);
        }
    }
}
