// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
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
sealed interface Health permits Healthy, Suspect, Missing, Probing, Replaying, Closed {
    PartitionState state();

    /** Returns the connection for commands, null if there is none. */
    @Nullable
    PartitionConnection connection();

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
}
