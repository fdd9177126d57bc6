// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.PartitionMap;

public sealed interface CatalogueAnswer {
    String why();

    /**
     * The map was read, or the change was made, now or earlier. {@code map} is the newest known map; when a register
     * starts, its generation differs from that of the given map.
     */
    record Ok(PartitionMap map) implements CatalogueAnswer {
        @Override
        public String why() {
            return "the map is " + map.stamp();
        }
    }

    /** The change was not made: {@code present} is the newest map. */
    record Conflict(PartitionMap present) implements CatalogueAnswer {
        @Override
        public String why() {
            return "it was not made: the map is %s by now".formatted(present.stamp());
        }
    }

    /** The change was not made: another process has taken over a move that it changes. */
    record Fenced(String by) implements CatalogueAnswer {
        @Override
        public String why() {
            return "it was not made: %s has taken over the move".formatted(by);
        }
    }

    record Invalid(String why) implements CatalogueAnswer {}

    /** The change may have been made, or may still be; {@link Catalogue#read} finds out. */
    record Unknown(String why) implements CatalogueAnswer {}

    /** The change was not made and never will be, or the map could not be read; a later call may succeed. */
    record Unavailable(String why) implements CatalogueAnswer {}
}
