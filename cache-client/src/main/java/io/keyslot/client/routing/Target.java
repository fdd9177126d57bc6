// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import org.jspecify.annotations.Nullable;

sealed interface Target {
    /** Returns the place by this topology, which is the newest one; null if the slot has no owner. */
    Topology.@Nullable Place in(Topology newest);

    /** Returns whether a newer slot map may route the command again without splitting it. */
    boolean isRoutable();

    String describe();

    default String unowned(Topology newest) {
        return describe() + " has left";
    }

    record Home(EncodedKey key) implements Target {
        @Override
        public Topology.@Nullable Place in(Topology newest) {
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

    record Whole(PartitionId partition) implements Target {
        @Override
        public Topology.Place in(Topology newest) {
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

    record Part(Topology.Place place) implements Target {
        @Override
        public Topology.Place in(Topology newest) {
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
    enum Owners implements Target {
        ALL;

        @Override
        public Topology.@Nullable Place in(Topology newest) {
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
