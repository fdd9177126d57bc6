// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import org.jspecify.annotations.Nullable;

/** Where a command goes. */
sealed interface Target {
    /** The owners of all items of a bulk command, which is split before it is routed. */
    Target OWNERS = new Owners();

    /** Returns the place by this topology, which is the newest one; null if the slot has no owner. */
    @Nullable
    Place in(Topology newest);

    /** Returns whether the command as it is may be routed again by a newer slot map. */
    boolean isRoutable();

    /** Returns the place for messages. */
    String describe();

    /** Returns why there is no such place by this topology. */
    default String unowned(Topology newest) {
        return describe() + " has left";
    }

    /** To whoever owns the slot of the key. */
    record Home(EncodedKey key) implements Target {
        @Override
        public @Nullable Place in(Topology newest) {
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
            return newest.whyUnavailable(key);
        }
    }

    /** To the partition, whatever slots it owns. */
    record Whole(PartitionId partition) implements Target {
        @Override
        public Place in(Topology newest) {
            return newest.placeAt(partition);
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

    /** To the partition that owned all the command's slots by one topology: a newer one may divide it. */
    record Part(Place place) implements Target {
        @Override
        public Place in(Topology newest) {
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

    /** All owners of the items of a bulk command. */
    record Owners() implements Target {
        @Override
        public @Nullable Place in(Topology newest) {
            return null;
        }

        @Override
        public boolean isRoutable() {
            return false;
        }

        @Override
        public String describe() {
            return "the owners of its keys";
        }
    }
}
