// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Items of a bulk call, by who is to be asked about them. For use by one thread.
 *
 * @param <I> an item
 */
final class BulkSplit<I> {
    /** A command about more keys would keep the partition from answering anybody else for too long. */
    static final int MOST_KEYS_OF_A_COMMAND = 500;

    private final boolean isBySlot;

    /** By slot or place. A topology has each place once: no place has to be compared with another one for each item. */
    private final Map<Object, Chunk<I>> filling;

    private final List<Chunk<I>> chunks = new ArrayList<>();

    /** @param isBySlot whether one command names keys of one slot */
    BulkSplit(boolean isBySlot) {
        this.isBySlot = isBySlot;
        this.filling = isBySlot ? new HashMap<>() : new IdentityHashMap<>();
    }

    /** Adds the item at a position of the call, to be asked about at the place that owns the slot of its key. */
    void add(I item, int position, Place owner, EncodedKey key) {
        Object together = isBySlot ? key.slot() : owner;
        Chunk<I> chunk = filling.get(together);
        if (chunk == null || chunk.size() == MOST_KEYS_OF_A_COMMAND) {
            chunk = new Chunk<>(owner);
            filling.put(together, chunk);
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
