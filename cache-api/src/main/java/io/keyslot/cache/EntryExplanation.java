// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.cache.near.NearState;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The location and state of an entry, as {@link PartitionedCache#explain} returns it.
 *
 * @param entityKey the text under which the entry is stored
 * @param slot the hash slot
 * @param slotEpoch the epoch that a valid entry of this slot has; 0 if the partition was never reached
 * @param partition the owner of the slot
 * @param address the address of the partition
 * @param state whether the partition answers
 * @param presence whether the entry exists
 * @param timeToLive the remaining time to live, null if the entry does not expire or is not present
 * @param sizeBytes the bytes of the stored value with its envelope, 0 if not present
 * @param stamp the stamp of the last write, 0 if not present
 * @param lastMiss the cause of this process's last miss of the entry; null if its last read was a hit, or is not
 *     known
 * @param lastMissAge the time since that miss, null if {@code lastMiss} is
 * @param group the size of the entry's group, estimated from a sample; null if the partition could not be reached
 * @param groupTooLarge whether the group is larger than {@code groups.entries} and {@code groups.bytes} allow
 * @param near the near entry in this process, null if the cache has no near cache. The other components come from
 *     the partition
 * @param replica the server that answers reads of the entry, null if the cache does not read from replicas
 */
public record EntryExplanation(
        String entityKey,
        int slot,
        int slotEpoch,
        PartitionId partition,
        String address,
        PartitionState state,
        Presence presence,
        @Nullable Duration timeToLive,
        long sizeBytes,
        long stamp,
        @Nullable MissCause lastMiss,
        @Nullable Duration lastMissAge,
        @Nullable GroupSize group,
        boolean groupTooLarge,
        @Nullable NearState near,
        @Nullable ReplicaState replica) {

    /** Whether an entry exists. */
    public enum Presence {
        /** The entry exists. */
        PRESENT,
        /** There is no entry. */
        ABSENT,
        /** There are bytes that are not a readable entry: another epoch, another key, or another format. */
        UNREADABLE,
        /** The partition could not be reached. */
        UNKNOWN
    }
}
