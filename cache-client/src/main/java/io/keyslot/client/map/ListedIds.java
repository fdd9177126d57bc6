// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Collection;
import java.util.stream.Stream;

/**
 * A hash table of ids, numbered in the given order, with look-up by the bytes of a key. Immutable.
 *
 * <p>All texts are in one array. A look-up creates no object and waits for memory twice; a map of strings would create
 * a string and follow several references.
 */
final class ListedIds {
    public static final int NONE = -1;

    // The layout of a place in the table.
    private static final int NUMBER = 0; // plus 1; 0 is a free place
    private static final int HASH = 1;
    private static final int BEGIN = 2; // of the text
    private static final int LENGTH = 3;
    private static final int WIDTH = 4;

    private final byte[] texts;
    private final int[] table;
    private final int mask; // the number of places, a power of two at most two thirds full, minus one

    public ListedIds(Collection<String> ids) {
        IdText[] all = ids.stream().map(IdText::of).toArray(IdText[]::new);
        texts = new byte[Stream.of(all).mapToInt(IdText::length).sum()];
        mask = 2 * Integer.highestOneBit(Math.max(2, all.length + all.length / 2)) - 1;
        table = new int[(mask + 1) * WIDTH];
        int begin = 0;
        for (int i = 0; i < all.length; i++) {
            IdText id = all[i];
            System.arraycopy(id.utf8(), 0, texts, begin, id.length());
            int place = freePlace(id.hash());
            table[place + NUMBER] = i + 1;
            table[place + HASH] = id.hash();
            table[place + BEGIN] = begin;
            table[place + LENGTH] = id.length();
            begin += id.length();
        }
    }

    private int freePlace(int hash) {
        int place = hash & mask;
        while (table[place * WIDTH + NUMBER] != 0) {
            place = (place + 1) & mask;
        }
        return place * WIDTH;
    }

    public int find(IdText id) {
        int hash = id.hash();
        int place = hash & mask;
        while (true) { // a free place ends it
            int at = place * WIDTH;
            int number = table[at + NUMBER];
            if (number == 0) {
                return NONE;
            }
            if (table[at + HASH] == hash && table[at + LENGTH] == id.length() && id.isAt(texts, table[at + BEGIN])) {
                return number - 1;
            }
            place = (place + 1) & mask;
        }
    }
}
