// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.topology.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Items of a bulk call, by who is to be asked about them. For use by one thread.
 *
 * @param <I> an item
 */
final class BulkSplit<I> {
    /** A command about more keys would keep the partition from answering anybody else for too long. */
    static final int MOST_KEYS_OF_A_COMMAND = 500;

    /** A topology has each place once: no place has to be compared with another one for each item. */
    private final IdentityHashMap<Place, Chunk<I>> filling = new IdentityHashMap<>();

    private final List<Chunk<I>> chunks = new ArrayList<>();

    /** Adds the item at a position of the call, to be asked about at a place. */
    void add(I item, int position, Place owner) {
        Chunk<I> chunk = filling.get(owner);
        if (chunk == null || chunk.size() == MOST_KEYS_OF_A_COMMAND) {
            chunk = new Chunk<>(owner);
            filling.put(owner, chunk);
            chunks.add(chunk);
        }
        chunk.add(item, position);
    }

    /** Returns what one command each asks about. */
    List<Chunk<I>> chunks() {
        return chunks;
    }

    /** Items that one partition is asked about at once. */
    static final class Chunk<I> {
        private static final int USUAL = 40;

        private final Place place;
        private final List<I> items = new ArrayList<>(USUAL);
        private int[] positions = new int[USUAL];

        private Chunk(Place place) {
            this.place = place;
        }

        private void add(I item, int position) {
            int size = items.size();
            if (size == positions.length) {
                positions = Arrays.copyOf(positions, 2 * size);
            }
            positions[size] = position;
            items.add(item);
        }

        Place place() {
            return place;
        }

        List<I> items() {
            return items;
        }

        int size() {
            return items.size();
        }

        /** Returns the position in the call of the i-th item. */
        int position(int i) {
            return positions[i];
        }
    }
}
