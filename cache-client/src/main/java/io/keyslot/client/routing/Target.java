// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
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

    /** Returns why there is no such place by this topology. */
    String unowned(Topology newest);

    /** To whoever owns the slot of the key. */
    record Home(EncodedKey key) implements Target {
        @Override
        public @Nullable Place in(Topology newest, Command<?> command) {
            return newest.placeOf(key);
        }

        @Override
        public boolean isRoutable() {
            return true;
        }

        @Override
        public String describe() {
            return "slot " + key.slot();
        }

        @Override
        public String unowned(Topology newest) {
            return newest.whyNobody(key);
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
        public String unowned(Topology newest) {
            return "%s gives or gets the slot by slot map version %d, and has no copy meanwhile"
                    .formatted(describe(), newest.version());
        }
    }

    /** To the partition as one that has copies: it must own none of the command's slots, as it would lose entries. */
    record Copies(PartitionId partition) implements Target {
        @Override
        public @Nullable Place in(Topology newest, Command<?> command) {
            return newest.placeOfCopies(partition, command.keys());
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
        public String unowned(Topology newest) {
            return "%s owns, gives or gets the slot by slot map version %d, and has no copy"
                    .formatted(describe(), newest.version());
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

        @Override
        public String unowned(Topology newest) {
            return "%s has left".formatted(describe());
        }
    }
}
