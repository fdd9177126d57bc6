// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The items of a bulk call, grouped by place or slot. For use by one thread. */
final class BulkSplit<I> {
    /** A longer command would delay the partition's other clients too much. */
    static final int MOST_KEYS_OF_A_COMMAND = 500;

    private final boolean isBySlot;

    /** By slot or by place. A topology has one instance of each place, so places are compared by identity. */
    private final Map<Object, Chunk<I>> filling;

    private final List<Chunk<I>> chunks = new ArrayList<>();

    BulkSplit(boolean isBySlot) {
        this.isBySlot = isBySlot;
        this.filling = isBySlot ? new HashMap<>() : new IdentityHashMap<>();
    }

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

    List<Chunk<I>> chunks() {
        return chunks;
    }

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

        int position(int i) {
            return positions[i];
        }
    }
}
