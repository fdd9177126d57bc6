// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.Optional;

/** Where a command goes. */
sealed interface Target {
    /** Returns the partition by this slot map, or empty if the slot has no owner. */
    Optional<PartitionId> in(SlotMap map);

    /** Returns the version of the slot map by which the command is routed, if this is the newest one. */
    long version(SlotMap newest);

    /** Returns whether the command as it is may be routed again by a newer slot map. */
    boolean isRoutable();

    /** Returns the place for messages. */
    String describe();

    /** To whoever owns the slot. */
    record Slot(int slot) implements Target {
        @Override
        public Optional<PartitionId> in(SlotMap map) {
            return map.ownerOf(slot);
        }

        @Override
        public long version(SlotMap newest) {
            return newest.version();
        }

        @Override
        public boolean isRoutable() {
            return true;
        }

        @Override
        public String describe() {
            return "slot " + slot;
        }
    }

    /** To the partition, whatever it owns. */
    record Whole(PartitionId partition) implements Target {
        @Override
        public Optional<PartitionId> in(SlotMap map) {
            return Optional.of(partition);
        }

        @Override
        public long version(SlotMap newest) {
            return newest.version();
        }

        @Override
        public boolean isRoutable() {
            return true;
        }

        @Override
        public String describe() {
            return Partition.nameOf(partition);
        }
    }

    /** To the partition that owned all the command's slots by one version of the slot map: a newer one may divide it. */
    record Part(PartitionId partition, long version) implements Target {
        @Override
        public Optional<PartitionId> in(SlotMap map) {
            return Optional.of(partition);
        }

        @Override
        public long version(SlotMap newest) {
            return version;
        }

        @Override
        public boolean isRoutable() {
            return false;
        }

        @Override
        public String describe() {
            return Partition.nameOf(partition);
        }
    }
}
