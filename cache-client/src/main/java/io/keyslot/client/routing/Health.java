// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

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
 * <pre>
 *              silence                    silence (third), lost
 *   Healthy ⇄ answer ⇄ Suspect ──────────────────────────► Missing
 *      │  ▲                                                  │  ▲
 *      │  └──────────── connected ──── Probing ◄── probe ────┘  │
 *      │                                  └── connect failure ──┤
 *      └──────────────────────── lost ──────────────────────────┘         (close leads from each to Closed)
 * </pre>
 */
sealed interface Health permits Healthy, Suspect, Missing, Probing, Closed {
    PartitionState state();

    /** Returns the connection over which the partition is asked, null if it is not. */
    @Nullable
    PartitionConnection connection();

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

    /** The probe made a connection. */
    default Health onConnected(PartitionConnection connection, long now) {
        return this;
    }

    /** The probe failed. */
    default Health onConnectFailure(ConnectFailure failure) {
        return this;
    }

    /** Nobody is interested any more. */
    default Health onClose() {
        return new Closed(epoch());
    }
}
