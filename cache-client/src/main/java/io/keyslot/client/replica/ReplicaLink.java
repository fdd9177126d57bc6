// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one replica, replaced when it is lost. Remembers the last heartbeat. Thread-safe; no method blocks.
 */
final class ReplicaLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLink.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** The number of unanswered commands in a row that closes the connection. */
    private static final int MOST_SILENCES = 3;

    final PartitionConnector connector;
    private final ConnectLimit connects;
    private final Timing timing;
    private final boolean isInZone;
    private final RoundTrip roundTrip = new RoundTrip();

    // Guarded by this.
    private boolean isConnecting;
    private int failures; // in a row
    private long nextConnectNanos;
    private int silences;
    private @Nullable String toldProblem;
    private boolean closed;

    private volatile @Nullable PartitionConnection connection; // written while holding the lock
    private volatile ReplicaCommand.@Nullable Heartbeat seen;
    private volatile int slot = ReplicaCommand.NO_SLOT; // of the last requested heartbeat

    ReplicaLink(PartitionConnector connector, ConnectLimit connects, Timing timing, boolean isInZone) {
        this.connector = connector;
        this.connects = connects;
        this.timing = timing;
        this.isInZone = isInZone;
        this.nextConnectNanos = timing.ticker().nanos();
    }

    boolean isConnected() {
        return connection != null;
    }

    long roundTripNanos() {
        return roundTrip.nanos();
    }

    Ranking.Server asServer() {
        return new Ranking.Server(isInZone, roundTrip.nanos());
    }

    /** Returns the epoch of the entries of this connection, 0 without one. */
    int epoch() {
        PartitionConnection over = connection;
        return over == null ? 0 : over.epoch();
    }

    /** Returns the heartbeat of the last answer; null if there was none on this connection. */
    ReplicaCommand.@Nullable Heartbeat seen() {
        return seen;
    }

    /**
     * Connects if there is no connection and the pause is over, else asks for the heartbeat. A connection whose entries
     * have another epoch than the primary's is closed.
     */
    void look(int wanted, int heartbeatSlot) {
        slot = heartbeatSlot;
        PartitionConnection over = connection;
        if (over == null) {
            connect();
        } else if (over.epoch() != wanted) {
            lost(over);
        } else {
            long asked = timing.ticker().nanos();
            Futures.whenOver(read(List.of(), heartbeatSlot, Patience.UNLIMITED), (reply, failure) -> {
                if (reply instanceof Reply.Done) {
                    roundTrip.took(timing.ticker().nanos() - asked);
                }
            });
        }
    }

    CompletableFuture<Reply<Read>> read(List<EncodedKey> keys, int heartbeatSlot, Patience patience) {
        PartitionConnection over = connection;
        if (over == null) {
            return CompletableFuture.completedFuture(
                    Reply.refused(Refusal.UNAVAILABLE, "the replica is not connected"));
        }
        CompletableFuture<Reply<ReplicaCommand.Behind>> sent =
                over.send(new ReplicaCommand.ReadBehind(keys, heartbeatSlot), Route.ANY, patience);
        patience.await(sent);
        Reply<ReplicaCommand.Behind> known = Futures.valueOf(sent);
        return known == null
                ? sent.thenApply(late -> read(over, late))
                : CompletableFuture.completedFuture(read(over, known));
    }

    record Read(ReplicaCommand.Behind behind, int epoch) {}

    private Reply<Read> read(PartitionConnection over, Reply<ReplicaCommand.Behind> reply) {
        if (reply instanceof Reply.Done<ReplicaCommand.Behind> done) {
            synchronized (this) {
                silences = 0;
                if (over.equals(connection)) {
                    seen = done.value().heartbeat().orElse(null);
                }
            }
            return Reply.done(new Read(done.value(), over.epoch()));
        }
        if (reply instanceof Reply.Unknown<ReplicaCommand.Behind> unknown) {
            seen = null; // no other read is sent there before it has answered
            boolean isSilent;
            synchronized (this) {
                isSilent = ++silences >= MOST_SILENCES;
            }
            if (isSilent) {
                lost(over);
            }
            return unknown.as();
        }
        seen = null;
        return reply.as();
    }

    private void connect() {
        synchronized (this) {
            long now = timing.ticker().nanos();
            if (closed || isConnecting || connection != null || now - nextConnectNanos < 0) {
                return;
            }
            isConnecting = true;
            Duration pause = Timing.doubled(FIRST_PAUSE, failures++, LONGEST_PAUSE);
            nextConnectNanos = now + pause.toNanos() + timing.upTo(pause);
        }
        Futures.whenOver(connects.run(connector.address(), timing, connector::connect), this::connected);
    }

    private void connected(@Nullable PartitionConnection made, @Nullable Throwable failure) {
        boolean isUnwanted;
        synchronized (this) {
            isConnecting = false;
            isUnwanted = closed;
            if (made != null && !closed) {
                connection = made;
                seen = null;
                roundTrip.forget();
                silences = 0;
                failures = 0;
                toldProblem = null;
            }
        }
        if (made == null) {
            report(failure);
        } else if (isUnwanted) {
            made.close();
        } else {
            LOG.info("Replica {}: connected", connector.address());
            Futures.whenOver(made.lost(), (why, unexpected) -> lost(made));
            CompletableFuture<?> unused = read(List.of(), slot, Patience.UNLIMITED);
        }
    }

    /** Logs each reason once; the primary is read meanwhile. */
    private void report(@Nullable Throwable failure) {
        ConnectFailure why = failure instanceof ConnectFailure known
                ? known
                : failure != null && failure.getCause() instanceof ConnectFailure cause ? cause : null;
        String problem = String.valueOf(why == null ? failure : why.reason());
        boolean isChange;
        synchronized (this) {
            isChange = !closed && !problem.equals(toldProblem);
            toldProblem = problem;
        }
        if (isChange) {
            LOG.warn("Replica {} is not read, the primary is: {}", connector.address(), problem);
        }
    }

    private void lost(PartitionConnection over) {
        synchronized (this) {
            if (!over.equals(connection)) {
                return;
            }
            connection = null;
            seen = null;
        }
        over.close();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            connection = null;
        }
        connector.close();
    }

    /** A moving average of a server's round trip, over about eight answers. Thread-safe. */
    static final class RoundTrip {
        private static final int WEIGHT = 8;
        private static final long NONE = Long.MAX_VALUE;

        private final AtomicLong average = new AtomicLong(NONE);

        void took(long nanos) {
            long measured = Math.max(0, nanos);
            average.updateAndGet(before -> before == NONE ? measured : before + (measured - before) / WEIGHT);
        }

        long nanos() {
            return average.get();
        }

        void forget() {
            average.set(NONE);
        }
    }
}
