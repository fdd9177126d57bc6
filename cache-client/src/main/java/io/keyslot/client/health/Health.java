// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of a partition's health, with its transitions. Immutable and pure: {@link Partition} acts on a change.
 *
 * <p>A state ignores events that do not concern it, such as events of a connection that has been replaced.
 *
 * <p>A lost connection leads to an <em>awaited</em> reconnect: calls wait for it, and if it succeeds, the partition was
 * never missing. The wait is bounded, and the reconnect is repeated if it fails.
 *
 * <pre>
 *              silence                    silence (third)
 *   Healthy ⇄ answer ⇄ Suspect ──────────────────────────► Missing
 *      │  ▲                                                  │  ▲
 *      │  │                      ┌──── Probing ◄── probe ────┘  │
 *      │  │                  connected  ▲ └── connect failure ──┤
 *      │  │                      ▼      │ new epoch             │
 *      │  └───── replayed ─── Replaying ┘── replay failure ─────┤
 *      ├── lost ──► Probing, Replaying (awaited) ── failure ────┤
 *      └────────────── lost in a moment, overflow ──────────────┘         (close leads from each to Closed)
 * </pre>
 */
sealed interface Health {
    PartitionState state();

    /** Returns the connection for commands, null if there is none. */
    default @Nullable PartitionConnection connection() {
        return null;
    }

    /** Returns the connection for pending deletes, even while no other command may use it; null if there is none. */
    default @Nullable PartitionConnection held() {
        return connection();
    }

    /** Returns whether calls wait for the outcome of this state rather than being refused. */
    default boolean isAwaited() {
        return false;
    }

    /**
     * Returns when the partition became available or unavailable; a missing reply or a failed probe does not change it.
     */
    long since();

    int epoch();

    @Nullable
    String problem();

    /** The partition answered, possibly with a refusal. */
    default Health onAnswer(PartitionConnection from) {
        return this;
    }

    /** A command got no answer in time. */
    default Health onSilence(PartitionConnection from, long now) {
        return this;
    }

    default Health onLost(PartitionConnection which, String why, long now) {
        return this;
    }

    default Health onProbe() {
        return this;
    }

    /** The probe connected. {@code upTo} is the number of the last pending delete so far. */
    default Health onConnected(PartitionConnection connection, long upTo) {
        return this;
    }

    /** All deletions that were pending when the connection was made are done. */
    default Health onReplayed(PartitionConnection over, long now) {
        return this;
    }

    default Health onNewEpoch(PartitionConnection over) {
        return this;
    }

    default Health onReplayFailure(PartitionConnection over, ConnectFailure failure) {
        return this;
    }

    /** There are too many pending deletes: stored values must not be served before a new epoch was started. */
    default Health onOverflow(long now) {
        return this;
    }

    /** The time that calls wait for a reconnect is over, for the wait that began at {@code since}. */
    default Health onImpatience(long since) {
        return this;
    }

    default Health onConnectFailure(ConnectFailure failure) {
        return this;
    }

    default Health onClose(long now) {
        return new Closed(epoch(), now);
    }

    /**
     * The partition answers. {@code attempts} is the number of connects that had failed in a row before this one, or 1
     * if the previous connection was brief.
     */
    record Healthy(PartitionConnection connection, int attempts, long since) implements Health {
        /** A connection that lasts this long ends an outage and resets the count of attempts. */
        static final Duration LASTING = Duration.ofSeconds(2);

        /**
         * The minimum time between connects, from the second one in a row. A server that accepts is used even if its
         * connections are often cut, but one that hangs up at once does not cause a loop.
         */
        static final Duration BRIEF = Duration.ofMillis(20);

        @Override
        public PartitionState state() {
            return PartitionState.HEALTHY;
        }

        @Override
        public int epoch() {
            return connection.epoch();
        }

        @Override
        public @Nullable String problem() {
            return null;
        }

        @Override
        public Health onSilence(PartitionConnection from, long now) {
            return from.equals(connection) ? new Suspect(this, 1, now) : this;
        }

        @Override
        public Health onLost(PartitionConnection which, String why, long now) {
            if (!which.equals(connection)) {
                return this;
            }
            boolean isBrief = now - since < BRIEF.toNanos();
            Missing otherwise = new Missing("the connection was lost: " + why, null, isBrief ? 1 : 0, epoch(), now);
            long pauseNanos = isBrief && attempts > 0 ? BRIEF.toNanos() - (now - since) : 0;
            return new Probing(otherwise, Probing.MOST_AWAITED, pauseNanos);
        }

        @Override
        public Health onOverflow(long now) {
            return missing("more than " + PendingDeletes.MOST_KEYS + " deletions were not confirmed", now);
        }

        Missing missing(String why, long now) {
            int soFar = now - since >= LASTING.toNanos() ? 0 : attempts + 1;
            return new Missing(why, null, soFar, epoch(), now);
        }
    }

    /** The last commands got no answer; the next ones decide. An answer leads back to {@code before}. */
    record Suspect(Healthy before, int silences, long countedAt) implements Health {
        static final int MOST_SILENCES = 3;

        /**
         * Commands in flight together time out together and count once. Otherwise a stall of a tenth of a second would
         * cost a busy process its connection, but not an idle one.
         */
        static final Duration SAME_SILENCE = Duration.ofMillis(50);

        @Override
        public PartitionState state() {
            return PartitionState.SUSPECT;
        }

        @Override
        public PartitionConnection connection() {
            return before.connection();
        }

        @Override
        public long since() {
            return before.since();
        }

        @Override
        public int epoch() {
            return before.epoch();
        }

        @Override
        public String problem() {
            return silences == 1
                    ? "a command got no answer in time"
                    : "commands got no answer in time, " + silences + " times in a row";
        }

        @Override
        public Health onAnswer(PartitionConnection from) {
            return from.equals(connection()) ? before : this;
        }

        @Override
        public Health onSilence(PartitionConnection from, long now) {
            if (!from.equals(connection()) || now - countedAt < SAME_SILENCE.toNanos()) {
                return this;
            }
            Suspect next = new Suspect(before, silences + 1, now);
            return next.silences < MOST_SILENCES ? next : before.missing(next.problem(), now);
        }

        @Override
        public Health onLost(PartitionConnection which, String why, long now) {
            return which.equals(connection()) ? before.onLost(which, why, now) : this;
        }

        @Override
        public Health onOverflow(long now) {
            return before.onOverflow(now);
        }
    }

    /**
     * The partition does not answer; probes follow at intervals. {@code failure} is that of the last probe;
     * {@code attempts} counts the connects in a row that failed or were lost at once; {@code epoch} is that of the last
     * incarnation, 0 if none; failed probes do not change {@code since}.
     */
    record Missing(String problem, @Nullable ConnectFailure failure, int attempts, int epoch, long since)
            implements Health {
        static final Duration FIRST_PAUSE = Duration.ofMillis(100);
        static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

        @Override
        public PartitionState state() {
            return PartitionState.MISSING;
        }

        @Override
        public Health onProbe() {
            return new Probing(this);
        }

        boolean isOutdated() {
            return failure != null && failure.kind() == ConnectFailure.Kind.OUTDATED;
        }

        boolean isRejected() {
            return failure != null && failure.kind() == ConnectFailure.Kind.REJECTED;
        }

        Missing after(ConnectFailure newFailure) {
            return new Missing(newFailure.reason(), newFailure, attempts + 1, epoch, since);
        }

        /**
         * Returns the limit of the pause before the next connect, doubled with every failure. A rejection needs a
         * human, so it takes the longest pause. Each pause is random between 0 and the limit ("full jitter"), so that
         * the processes of a fleet do not reconnect at the same moment.
         */
        Duration pauseLimit() {
            return isRejected() ? LONGEST_PAUSE : Timing.doubled(FIRST_PAUSE, attempts - 1, LONGEST_PAUSE);
        }
    }

    /**
     * A connect to the unavailable partition, or what follows it. {@code before} is the state that a failure leads back
     * to; calls wait for {@code awaited} attempts, including this one.
     */
    sealed interface Connecting extends Health {
        Missing before();

        int awaited();

        @Override
        default PartitionState state() {
            return isAwaited() ? PartitionState.SUSPECT : PartitionState.PROBING;
        }

        @Override
        default boolean isAwaited() {
            return awaited() > 0;
        }

        @Override
        default long since() {
            return before().since();
        }

        @Override
        default int epoch() {
            return before().epoch();
        }

        @Override
        default String problem() {
            return before().problem();
        }
    }

    /** A connect to the unavailable partition is in progress. */
    record Probing(Missing before, int awaited, long pauseNanos) implements Connecting {
        /** More than one, for a connection that is lost again during the handshake. */
        static final int MOST_AWAITED = 3;

        Probing(Missing before) {
            this(before, 0);
        }

        Probing(Missing before, int awaited) {
            this(before, awaited, 0);
        }

        @Override
        public Health onConnected(PartitionConnection connection, long upTo) {
            return new Replaying(before, connection, upTo, awaited);
        }

        @Override
        public Health onConnectFailure(ConnectFailure failure) {
            return after(before, awaited, failure);
        }

        static Health after(Missing before, int awaited, ConnectFailure failure) {
            return awaited > 1 && failure.kind() == ConnectFailure.Kind.UNREACHABLE
                    ? new Probing(before, awaited - 1)
                    : before.after(failure);
        }

        @Override
        public Health onImpatience(long since) {
            return isAwaited() && since == before.since() ? new Probing(before) : this;
        }
    }

    /**
     * The partition is connected, but first the pending deletes must be done. {@code upTo} is the last one added before
     * the connect. Later ones are sent at once over the same connection, and so before any command of the healthy
     * partition; waiting for them too might never end while many calls fail.
     */
    record Replaying(Missing before, PartitionConnection held, long upTo, int awaited) implements Connecting {
        @Override
        public Health onReplayed(PartitionConnection over, long now) {
            return over.equals(held) ? new Healthy(held, before.attempts(), now) : this;
        }

        @Override
        public Health onNewEpoch(PartitionConnection over) {
            return over.equals(held) ? new Probing(before, awaited) : this;
        }

        @Override
        public Health onReplayFailure(PartitionConnection over, ConnectFailure failure) {
            return over.equals(held) ? before.after(failure) : this;
        }

        @Override
        public Health onLost(PartitionConnection which, String why, long now) {
            ConnectFailure failure =
                    new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "the connection was lost: " + why, null);
            return which.equals(held) ? Probing.after(before, awaited, failure) : this;
        }

        @Override
        public Health onImpatience(long since) {
            return isAwaited() && since == before.since() ? new Replaying(before, held, upTo, 0) : this;
        }
    }

    /** The final state: this process has closed the partition. */
    record Closed(int epoch, long since) implements Health {
        @Override
        public PartitionState state() {
            return PartitionState.MISSING;
        }

        @Override
        public String problem() {
            return "closed";
        }

        @Override
        public Health onClose(long now) {
            return this;
        }
    }

    /** Why the state of a partition changed. */
    enum Cause {
        PROBE,
        CONNECTED,
        /** The connect failed, or a pending delete was not done. */
        CONNECT_FAILED,
        REJECTED,
        ANSWER,
        SILENCE,
        LOST,
        OVERFLOW,
        CLOSED;

        static Cause of(ConnectFailure failure) {
            return failure.kind() == ConnectFailure.Kind.REJECTED ? REJECTED : CONNECT_FAILED;
        }
    }
}
