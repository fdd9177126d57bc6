// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.slot.PartitionId;
import java.time.Duration;

/**
 * An observer of a partition's state and pending deletes. Called by the thread that caused the event, possibly an I/O
 * thread: it must be short. Events of different threads may arrive in any order; the partition's status is
 * authoritative.
 */
@FunctionalInterface
public interface PartitionObserver {
    /** A change of a partition's state; {@code lasted} is the time spent in the previous one. */
    record Transition(PartitionId partition, PartitionState from, PartitionState to, Cause cause, Duration lasted) {}

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

    PartitionObserver NONE = transition -> {};

    void onTransition(Transition transition);

    /** The partition is healthy again after this absence. */
    default void onReturn(PartitionId partition, Duration absence) {}

    default void onReplayed(PartitionId partition, int deletions) {}

    /** There were too many pending deletes: everything that the partition has stored is invalidated. */
    default void onOverflow(PartitionId partition) {}
}
