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
    /** The primary, as what the replica has is of another life: it follows another server, was promoted, or has not caught up. */
    OTHER_LIFE,
    /** The primary, as this process has written under the key, or under one with the same place in a table, after what the replica has. */
    OWN_WRITE,
    /** The primary: the replica has no entry that it may answer with. */
    ABSENT,
    /** The primary: the replica did not answer in time, or refused. */
    NO_ANSWER
}
