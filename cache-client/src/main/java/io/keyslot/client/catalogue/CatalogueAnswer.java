// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.PartitionMap;

/** What a {@link Catalogue} answers. */
public sealed interface CatalogueAnswer {
    /** Returns what became of it, for people. */
    String why();

    /**
     * It was read; or it is made, now or earlier.
     *
     * @param map the newest that is known; when a register begins, it has another generation than the one that was given
     */
    record Ok(PartitionMap map) implements CatalogueAnswer {
        @Override
        public String why() {
            return "the map is " + map.stamp();
        }
    }

    /**
     * It was not made: another map is the newest.
     *
     * @param present that one
     */
    record Conflict(PartitionMap present) implements CatalogueAnswer {
        @Override
        public String why() {
            return "it was not made: the map is %s by now".formatted(present.stamp());
        }
    }

    /** It was not made: another process has taken over a move that it changes. */
    record Fenced(String by) implements CatalogueAnswer {
        @Override
        public String why() {
            return "it was not made: %s has taken over the move".formatted(by);
        }
    }

    /** It was not made, and never can be. */
    record Invalid(String why) implements CatalogueAnswer {}

    /** Nobody knows whether it was made, or will be: {@link Catalogue#repeat} finds out. */
    record Unknown(String why) implements CatalogueAnswer {}

    /** It was not made, and never will be; or there is nothing to be read. Time may heal it. */
    record Unavailable(String why) implements CatalogueAnswer {}
}
