// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.cache.near.NearState;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where an entry lives and what is known of it: the answer of {@link PartitionedCache#explain}.
 *
 * @param entityKey the text under which the entry is stored
 * @param slot its hash slot
 * @param slotEpoch the epoch that an entry of this slot must carry to be valid; 0 if the partition was never reached
 * @param partition who owns the slot
 * @param address where the partition is
 * @param state whether the partition answers
 * @param presence whether there is an entry
 * @param timeToLive how long the entry still lives, null if it does not expire or is not present
 * @param sizeBytes the bytes of the stored value with its envelope, 0 if not present
 * @param stamp the stamp of the last write, 0 if not present
 * @param lastMiss why this process's last read of the entry missed; null if it did not, or nothing is known of it any more
 * @param lastMissAge how long ago that was, null if {@code lastMiss} is
 * @param group about how large the group is to which the entry belongs or whose root it is, reckoned from a part of it; null
 *     if the partition could not be asked
 * @param groupTooLarge whether the group is larger than {@code groups.entries} and {@code groups.bytes} allow
 * @param near what is known of its copy in this process, null if the cache has no near cache. All the rest is what the
 *     partition says
 * @param replica who answers the reads of the entry, null if the cache is not read from replicas
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

    /** Whether there is an entry. */
    public enum Presence {
        /** There is one. */
        PRESENT,
        /** There is none. */
        ABSENT,
        /** There are bytes, but they are not an entry that may be read: another epoch, another key, another format. */
        UNREADABLE,
        /** The partition could not be asked. */
        UNKNOWN
    }
}
