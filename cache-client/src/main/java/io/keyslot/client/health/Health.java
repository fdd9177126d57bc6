// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a partition, and what it becomes with each event. Immutable and pure: {@link Partition} does what
 * follows from a change.
 *
 * <p>An event that means nothing in a state leaves it as it is. In particular, what is heard of a connection that has
 * been replaced is of no interest any more.
 *
 * <p>A connection that is lost leads to an <em>awaited</em> attempt to make another: calls wait for it, and if it is
 * successful, the partition was never missing. It is awaited for a bounded time, and repeated once if it fails.
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
sealed interface Health permits Healthy, Suspect, Missing, Probing, Replaying, Closed {
    PartitionState state();

    /** Returns the connection over which the partition is asked, null if it is not. */
    @Nullable
    PartitionConnection connection();

    /** Returns the connection over which the journal's deletions go, also while nothing else is sent; null if none is. */
    default @Nullable PartitionConnection held() {
        return connection();
    }

    /** Returns whether calls wait for what this leads to, rather than to be refused. */
    default boolean isAwaited() {
        return false;
    }

    /** Returns since when the partition is or is not asked: neither a silence nor a failed probe changes it. */
    long since();

    /** Returns the epoch of the present or last life, 0 if there was none. */
    int epoch();

    /** Returns why the partition does not answer, null while it does. */
    @Nullable
    String problem();

    /** Something was answered, be it a refusal. */
    default Health onAnswer(PartitionConnection from) {
        return this;
    }

    /** The answer to something that was sent did not come. */
    default Health onSilence(PartitionConnection from, long now) {
        return this;
    }

    /** The connection cannot be used any more. */
    default Health onLost(PartitionConnection which, String why, long now) {
        return this;
    }

    /** It is time to try to connect. */
    default Health onProbe() {
        return this;
    }

    /**
     * The probe made a connection.
     *
     * @param upTo the last addition to the journal so far
     */
    default Health onConnected(PartitionConnection connection, long upTo) {
        return this;
    }

    /** Nothing is left in the journal of what was there when the connection was made. */
    default Health onReplayed(PartitionConnection over, long now) {
        return this;
    }

    /** Instead of deletions, a new epoch was begun: another connection is needed to serve it. */
    default Health onNewEpoch(PartitionConnection over) {
        return this;
    }

    /** A deletion was not confirmed before the partition was healthy. */
    default Health onReplayFailure(PartitionConnection over, ConnectFailure failure) {
        return this;
    }

    /** The journal has no room for a key: what is stored must not be served before a new epoch was begun. */
    default Health onOverflow(long now) {
        return this;
    }

    /** Calls have waited long enough since then. */
    default Health onImpatience(long since) {
        return this;
    }

    /** The probe failed. */
    default Health onConnectFailure(ConnectFailure failure) {
        return this;
    }

    /** Nobody is interested any more. */
    default Health onClose(long now) {
        return new Closed(epoch(), now);
    }
}
