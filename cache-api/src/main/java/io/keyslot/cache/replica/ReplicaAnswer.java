// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

/** Which server answers a read of a cache with {@link ReplicaReads} and, if it is the primary, the reason. */
public enum ReplicaAnswer {
    /** A replica, whose data is within the bound. */
    REPLICA,
    /** The primary, which is nearer than the replicas. */
    NEARER_PRIMARY,
    /** The primary: the configuration names no replica of the partition. */
    NO_REPLICA,
    /** The primary: the slot is moving to another partition, or has no owner. */
    MOVING,
    /** The primary: no replica is connected. */
    NOT_CONNECTED,
    /** The primary: the replica lag is unknown, because reads have just begun or the slot map is new. */
    NOT_MEASURED,
    /** The primary: the replica lag exceeds the bound. */
    TOO_OLD,
    /** The primary: the replica follows another server, was promoted, or lags behind a restarted primary. */
    OTHER_LIFE,
    /** The primary: the replica may lack a recent write of this process. */
    OWN_WRITE,
    /** The primary: the replica has no valid entry. */
    ABSENT,
    /** The primary: the replica did not answer in time, or refused the command. */
    NO_ANSWER
}
