// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.topology.Place;
import io.keyslot.client.topology.Topology;
import io.keyslot.slot.PartitionId;
import org.jspecify.annotations.Nullable;

/** Where a command goes. */
sealed interface Target {
    /**
     * Returns the place by this topology, which is the newest one; null if the slot has no owner, or is on its way from or to
     * the partition that is to be asked without owning it.
     */
    @Nullable
    Place in(Topology newest, Command<?> command);

    /** Returns whether the command as it is may be routed again by a newer slot map. */
    boolean isRoutable();

    /** Returns the place for messages. */
    String describe();

    /** Returns what is said if there is no such place: of which target, by which version of the slot map. */
    default String unowned() {
        return "%s has no owner in slot map version %d";
    }

    /** To whoever owns the slot. */
    record Slot(int slot) implements Target {
        @Override
        public @Nullable Place in(Topology newest, Command<?> command) {
            return newest.placeOf(slot);
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
        public @Nullable Place in(Topology newest, Command<?> command) {
            return newest.placeAt(partition, command.keys());
        }

        @Override
        public boolean isRoutable() {
            return true;
        }

        @Override
        public String describe() {
            return Partition.nameOf(partition);
        }

        @Override
        public String unowned() {
            return "%s gives or gets the slot by slot map version %d, and has no copy meanwhile";
        }
    }

    /** To the partition that owned all the command's slots by one topology: a newer one may divide it. */
    record Part(Place place) implements Target {
        @Override
        public Place in(Topology newest, Command<?> command) {
            return place;
        }

        @Override
        public boolean isRoutable() {
            return false;
        }

        @Override
        public String describe() {
            return Partition.nameOf(place.id());
        }
    }
}
