// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tracks one partition: starts tracking on each new connection, probes it, and pings it in the absence of other
 * traffic. Thread-safe; no method blocks.
 */
final class TrackedPartition {
    /** The number of pings within the shortest {@code staleness}. */
    static final int PINGS = 4;

    /** Pings stop after this many without a read of a near entry. The first read after that asks the partition. */
    private static final int MOST_IDLE_PINGS = 40;

    private static final Duration PROBE_TIME = Duration.ofSeconds(1);
    private static final Duration NEXT_PROBE = Duration.ofSeconds(10);

    /** Longer than any {@code staleness}. */
    private static final Duration UNCONFIRMED = Duration.ofHours(1);

    private static final Expiry PROBE_LASTS = Expiry.afterMillis(1_000);

    private final Partition partition;
    private final NearCaches links;
    private final Timing timing;
    private @Nullable Tracking tracking; // guarded by this
    private volatile @Nullable TrackedConnection link; // written while holding this

    TrackedPartition(Partition partition, NearCaches links, Timing timing) {
        this.partition = partition;
        this.links = links;
        this.timing = timing;
    }

    @Nullable
    TrackedConnection alive() {
        TrackedConnection now = link;
        return now != null && now.isAlive() ? now : null;
    }

    /** Starts with another connection; values read over the previous one may be older than those read over this one. */
    void connected(PartitionConnection connection) {
        synchronized (this) {
            end();
            tracking = new Tracking(connection);
        }
        begin();
    }

    void begin() {
        Tracking now;
        synchronized (this) {
            now = tracking;
            if (now == null || now.hasBegun || !links.isOn()) {
                return;
            }
            now.hasBegun = true;
        }
        now.begin();
    }

    /** Ends a lost connection; its near entries may be served as for a missing partition. */
    void lost(PartitionConnection connection) {
        synchronized (this) {
            Tracking now = tracking;
            if (now == null || !now.connection.equals(connection)) {
                return;
            }
            tracking = null;
            TrackedConnection lost = link;
            if (lost != null) {
                lost.lose();
            }
        }
        links.ended();
    }

    synchronized boolean isIdle() {
        return tracking == null;
    }

    private synchronized void end() {
        TrackedConnection before = link;
        if (before != null) {
            before.end(NearEnd.LINK_LOST);
            link = null;
            links.ended();
        }
    }

    /** The pushes of one connection. */
    private final class Tracking implements PushListener {
        private final PartitionConnection connection;
        private boolean hasBegun; // guarded by the partition's link
        private volatile @Nullable NearProbe probe;
        private int idlePings; // used by the scheduler's thread

        Tracking(PartitionConnection connection) {
            this.connection = connection;
        }

        void begin() {
            connection.listen(this);
            track();
        }

        /** A refusal is final: the server does not support tracking, or the user lacks the right. */
        private void track() {
            Futures.whenOver(connection.send(new Command.Track(), Route.ANY, Patience.UNLIMITED), (reply, failure) -> {
                if (reply instanceof Reply.Done) {
                    probe();
                } else if (reply instanceof Reply.Refused<Boolean> refused && refused.refusal() == Refusal.FORBIDDEN) {
                    links.failed(partition.place(), refused.detail());
                } else {
                    again(PROBE_TIME, this::track);
                }
            });
        }

        private void again(Duration pause, Runnable attempt) {
            timing.schedule(
                    () -> {
                        if (isPresent() && alive() == null) {
                            attempt.run();
                        }
                    },
                    pause.toNanos());
        }

        /** Reads a key and writes it over the same connection: the read must be answered, and the write reported. */
        private void probe() {
            EncodedKey key = links.probeKey(partition.id());
            if (key == null) { // a node without slots
                again(PROBE_TIME, this::probe);
                return;
            }
            NearProbe now = new NearProbe(key, now());
            probe = now; // a late report of the previous probe does not count for this one
            Futures.whenOver(
                    connection.send(new Command.GetTracked(now.key()), Route.ANY, Patience.UNLIMITED),
                    (reply, failure) -> {
                        refused(now, reply);
                        if (reply instanceof Reply.Done && now.answered()) {
                            live(now);
                        }
                    });
            Command.Put put = new Command.Put(now.key(), Envelope.of(1, new byte[0]), PROBE_LASTS, PROBE_LASTS);
            Futures.whenOver(
                    connection.send(put, Route.ANY, Patience.UNLIMITED), (reply, failure) -> refused(now, reply));
            timing.schedule(() -> judge(now), PROBE_TIME.toNanos());
        }

        private void refused(NearProbe asked, @Nullable Reply<?> reply) {
            if (reply instanceof Reply.Refused<?> refused) {
                fail(asked, refused.detail());
            }
        }

        private void fail(NearProbe asked, String why) {
            if (isPresent() && asked.fail()) {
                links.failed(partition.place(), why);
            }
        }

        private void judge(NearProbe asked) {
            if (isPresent() && alive() == null) {
                fail(asked, "it did not report a change within a second");
                again(NEXT_PROBE, this::probe);
            }
        }

        @Override
        public void pushed(Push push) {
            if (push instanceof Push.Invalidated invalidated) {
                invalidated(invalidated.keys());
            } else if (push instanceof Push.AllInvalidated all) {
                allPublished(all);
            }
        }

        private void invalidated(List<EncodedKey> keys) {
            links.kill(keys, NearEnd.TOLD);
            NearProbe now = probe;
            if (now != null && keys.contains(now.key()) && now.published()) {
                live(now);
            }
        }

        private void live(NearProbe probed) {
            synchronized (TrackedPartition.this) {
                if (!isPresent() || alive() != null) {
                    return;
                }
                link = new TrackedConnection(links.isOfCluster() ? now() - UNCONFIRMED.toNanos() : probed.sentAt());
            }
            if (links.isOfCluster()) {
                ping(probed.key());
            }
            pingLater(probed);
        }

        private void allPublished(Push.AllInvalidated all) {
            if (all.isLost()) {
                lost(connection);
                return;
            }
            synchronized (TrackedPartition.this) {
                TrackedConnection before = link;
                if (before != null && isPresent()) {
                    before.end(NearEnd.ALL_TOLD);
                    link = new TrackedConnection(before.confirmedAt());
                }
            }
            links.ended();
        }

        private boolean isPresent() {
            synchronized (TrackedPartition.this) {
                return this.equals(tracking);
            }
        }

        private void pingLater(NearProbe probed) {
            timing.schedule(() -> pingIfSilent(probed), links.pingNanos());
        }

        private void pingIfSilent(NearProbe probed) {
            TrackedConnection now = alive();
            if (now == null || !isPresent() || !links.isOn()) {
                return;
            }
            idlePings = now.takeWanted() ? 0 : idlePings + 1;
            if (idlePings <= MOST_IDLE_PINGS && now() - now.confirmedAt() >= links.pingNanos() / 2) {
                ping(probed.key());
            }
            pingLater(probed);
        }

        private void ping(EncodedKey key) {
            long sentAt = now();
            CompletableFuture<Reply<Lookup>> sent =
                    connection.send(new Command.Get(keyToPing(key)), Route.ANY, Patience.UNLIMITED);
            CompletableFuture<Boolean> answered = sent.thenApply(Reply.Done.class::isInstance);
            Futures.whenOver(
                    links.isOfCluster() ? answered.thenCombine(hasItsSlots(), Boolean::logicalAnd) : answered,
                    (isConfirmed, failure) -> {
                        TrackedConnection tracked = alive();
                        if (tracked != null && Boolean.TRUE.equals(isConfirmed) && isPresent()) {
                            tracked.confirm(sentAt);
                        }
                    });
        }

        /** Returns the same key, or one in a present slot of the node, which refuses it if the cluster is down. */
        private EncodedKey keyToPing(EncodedKey key) {
            EncodedKey other = links.isOfCluster() ? links.probeKey(partition.id()) : null;
            return other == null ? key : other;
        }

        /** Asks a node for its slots. Copies are not served while it has fewer than the topology says. */
        private CompletableFuture<Boolean> hasItsSlots() {
            return connection
                    .send(new Command.Served(), Route.ANY, Patience.UNLIMITED)
                    .thenApply(reply -> {
                        if (reply instanceof Reply.Refused<?> refused && refused.refusal() == Refusal.FORBIDDEN) {
                            links.failed(partition.place(), refused.detail());
                        }
                        return reply instanceof Reply.Done<Optional<Command.ServedSlots>> done
                                && done.value()
                                        .filter(served -> links.isOwnedStill(partition.id(), served))
                                        .isPresent();
                    });
        }

        private long now() {
            return timing.ticker().nanos();
        }
    }

    /**
     * A key that is read with tracking and then written, to check whether the partition reports changes. The read needs the
     * same server rights as near caches. Thread-safe.
     */
    private static final class NearProbe {
        private final EncodedKey key;
        private final long sentAt;
        private boolean isAnswered; // guarded by this
        private boolean isPublished; // guarded by this
        private boolean hasFailed; // guarded by this

        NearProbe(EncodedKey key, long sentAt) {
            this.key = key;
            this.sentAt = sentAt;
        }

        EncodedKey key() {
            return key;
        }

        long sentAt() {
            return sentAt;
        }

        synchronized boolean answered() {
            isAnswered = true;
            return isPublished;
        }

        synchronized boolean published() {
            isPublished = true;
            return isAnswered;
        }

        /** Records a refusal or timeout. Returns whether it is the first. */
        synchronized boolean fail() {
            boolean isChange = !hasFailed;
            hasFailed = true;
            return isChange;
        }
    }
}
