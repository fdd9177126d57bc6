// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.bounded;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.time.Futures;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Timing;
import io.keyslot.client.topology.CurrentTopology;
import io.keyslot.client.topology.Topology;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A partition, and the replicas of its server. While it is read, rounds find out how far each replica is: the primary keeps the beat,
 * and the replicas are asked for it. Nobody is asked once nobody reads. Safe for use by several threads; nothing here blocks.
 */
final class FollowedPartition implements AutoCloseable {
    /** After this without a read, the rounds end. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    private final PartitionId id;
    private final CurrentTopology topology;
    private final Timing timing;
    private final List<ReplicaLink> links;
    private final BeatTimes times = new BeatTimes();
    private final AtomicBoolean isRunning = new AtomicBoolean();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile long paceNanos;
    private volatile long readNanos;
    private volatile int epoch; // at the primary, when it was last asked
    private volatile boolean closed;

    FollowedPartition(PartitionId id, CurrentTopology topology, Timing timing, List<ReplicaLink> links, Duration pace) {
        this.id = id;
        this.topology = topology;
        this.timing = timing;
        this.links = List.copyOf(links);
        this.paceNanos = pace.toNanos();
    }

    /** Goes on at this pace if it is a quicker one. */
    void hasten(Duration pace) {
        paceNanos = Math.min(paceNanos, pace.toNanos());
    }

    /** Returns a replica that was fresh enough when it was last asked, in turn; null if none was. */
    @Nullable
    ReplicaLink fresh(long stalestNanos) {
        readNanos = timing.ticker().nanos();
        if (isRunning.compareAndSet(false, true)) {
            round();
        }
        int start = turn.getAndIncrement() & Integer.MAX_VALUE;
        long version = topology.get().version();
        for (int i = 0; i < links.size(); i++) {
            ReplicaLink link = links.get((start + i) % links.size());
            ReplicaCommand.Beat seen = link.seen();
            if (seen != null) {
                OptionalLong time = times.notBefore(seen, link.epoch(), version);
                if (time.isPresent() && readNanos - time.getAsLong() <= stalestNanos) {
                    return link;
                }
            }
        }
        return null;
    }

    /** As {@link BeatTimes#notBefore}. */
    OptionalLong notBefore(ReplicaCommand.Beat beat, int readBy, long mapVersion) {
        return times.notBefore(beat, readBy, mapVersion);
    }

    private void round() {
        long began = timing.ticker().nanos();
        if (closed || began - readNanos > IDLE.toNanos()) {
            isRunning.set(false);
            return;
        }
        Topology now = topology.get();
        Partition primary = now.partition(id);
        // In this order: a deletion that is done before the look is done before the question. One that begins behind
        // the look is an own write that is later than it.
        if (primary == null || !primary.owesNothing()) {
            again(began);
            return;
        }
        Futures.whenOver(
                primary.send(
                        new ReplicaCommand.KeepBeat(Duration.ofNanos(paceNanos / 2)),
                        Route.plain(now.version()),
                        Patience.UNLIMITED),
                (reply, failure) -> {
                    if (reply instanceof Reply.Done<ReplicaCommand.Kept> done) {
                        times.kept(done.value(), began, now.version());
                        epoch = done.value().epoch();
                        links.forEach(link -> link.look(epoch));
                    }
                    again(began);
                });
    }

    private void again(long began) {
        long pause =
                Math.max(paceNanos / 10, began + paceNanos - timing.ticker().nanos());
        if (timing.schedule(this::round, pause).isEmpty()) {
            isRunning.set(false);
        }
    }

    @Override
    public void close() {
        closed = true;
        links.forEach(ReplicaLink::close);
    }
}
