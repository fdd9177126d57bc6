// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

/** Who answers a read of a cache with {@link ReplicaReads} and, if that is the primary, why no replica does. */
public enum ReplicaAnswer {
    /** A replica: what it has is not older than the bound. */
    REPLICA,
    /** The primary, as it is nearer than the replicas. */
    NEARER_PRIMARY,
    /** The primary, as the configuration names no replica of the partition. */
    NO_REPLICA,
    /** The primary, as the slot is on its way to another partition, or nobody owns it. */
    MOVING,
    /** The primary, as no replica is connected. */
    NOT_CONNECTED,
    /** The primary, as it is not known yet how old what a replica has is. Reads have begun a moment ago, or the slot map is new. */
    NOT_MEASURED,
    /** The primary, as what the replicas have is too old. */
    TOO_OLD,
    /** The primary, as what the replica has is of another life: it follows another server, was promoted, or has not caught up. */
    OTHER_LIFE,
    /** The primary, as this process has written under the key, or under one with the same place in a table, after what the replica has. */
    OWN_WRITE,
    /** The primary, as the replica has no entry that it may answer with. */
    ABSENT,
    /** The primary, as the replica has not answered in time, or has refused. */
    NO_ANSWER
}
