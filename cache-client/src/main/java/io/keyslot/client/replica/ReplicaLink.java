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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one replica, and the next one when it is lost. It does not judge what the replica answers, but remembers the last
 * beat. Safe for use by several threads; nothing here blocks.
 */
final class ReplicaLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLink.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** Commands in a row without an answer after which the connection is given up. */
    private static final int MOST_SILENCES = 3;

    private final PartitionConnector connector;
    private final ConnectLimit connects;
    private final Timing timing;
    private final boolean isInZone;
    private final RoundTrip roundTrip = new RoundTrip();

    // Guarded by this.
    private boolean isConnecting;
    private Duration pause = FIRST_PAUSE;
    private long nextConnectNanos;
    private int silences;
    private @Nullable String toldProblem;
    private boolean closed;

    private volatile @Nullable PartitionConnection connection; // written with the lock held
    private volatile ReplicaCommand.@Nullable Heartbeat seen;
    private volatile int slot = ReplicaCommand.NO_SLOT; // of the beat that was asked for last

    /** @param isInZone whether the replica is in the zone of this client */
    ReplicaLink(PartitionConnector connector, ConnectLimit connects, Timing timing, boolean isInZone) {
        this.connector = connector;
        this.connects = connects;
        this.timing = timing;
        this.isInZone = isInZone;
        this.nextConnectNanos = timing.ticker().nanos();
    }

    /** Returns where the replica is. */
    String address() {
        return connector.address();
    }

    boolean isConnected() {
        return connection != null;
    }

    /** Returns how long the replica takes to answer, by the questions how far it is. */
    long roundTripNanos() {
        return roundTrip.nanos();
    }

    /** Returns how near it is. */
    Ranking.Server asServer() {
        return new Ranking.Server(isInZone, roundTrip.nanos());
    }

    /** Returns the epoch of the entries that are read now, 0 without a connection. */
    int epoch() {
        PartitionConnection over = connection;
        return over == null ? 0 : over.epoch();
    }

    /** Returns the beat that the replica had when it last answered; null if it had none, or was never asked on this connection. */
    ReplicaCommand.@Nullable Heartbeat seen() {
        return seen;
    }

    /**
     * Connects if there is no connection, and it is time; otherwise asks how far the replica is.
     *
     * @param wanted the epoch of the entries at the primary: a connection that reads others is given up
     * @param heartbeatSlot as in {@link ReplicaCommand.ReadBehind}
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

    /** Reads entries, behind the beat. */
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

    /**
     * What was read.
     *
     * @param epoch that of the entries that count as found
     */
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
            seen = null; // nobody else is sent there before it has answered
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
        return ((Reply.Refused<ReplicaCommand.Behind>) reply).as();
    }

    private void connect() {
        synchronized (this) {
            long now = timing.ticker().nanos();
            if (closed || isConnecting || connection != null || now - nextConnectNanos < 0) {
                return;
            }
            isConnecting = true;
            nextConnectNanos = now + pause.toNanos() + timing.upTo(pause);
            pause = pause.compareTo(LONGEST_PAUSE.dividedBy(2)) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
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
                pause = FIRST_PAUSE;
                toldProblem = null;
            }
        }
        if (made == null) {
            tell(failure);
        } else if (isUnwanted) {
            made.close();
        } else {
            LOG.info("Replica {}: connected", connector.address());
            Futures.whenOver(made.lost(), (why, unexpected) -> lost(made));
            CompletableFuture<?> unused = read(List.of(), slot, Patience.UNLIMITED);
        }
    }

    /** Each reason once: the primary is read meanwhile. */
    private void tell(@Nullable Throwable failure) {
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

    /** Gives the connection up. Does nothing the second time. */
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
}
