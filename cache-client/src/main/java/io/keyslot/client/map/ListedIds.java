// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Collection;
import java.util.stream.Stream;

/**
 * Some ids, found by the bytes of a key. They are numbered in the order in which they are given. Immutable.
 *
 * <p>The texts are behind each other in one array, and a table of hashes says where: a look-up makes no object, and waits for memory
 * twice, where a map of strings first makes a string and then goes from object to object.
 */
final class ListedIds {
    /** The number of an id that is none of these. */
    public static final int NONE = -1;

    // What is in one place of the table.
    private static final int NUMBER = 0; // plus 1; 0 is a free place
    private static final int HASH = 1;
    private static final int BEGIN = 2; // of the text
    private static final int LENGTH = 3;
    private static final int WIDTH = 4;

    private final byte[] texts;
    private final int[] table;
    private final int mask; // one less than the places: a power of two, and at most two of three are taken

    /** Creates a list of ids, which differ. */
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

    /** Returns the number of an id, {@link #NONE} if it is none of these. */
    public int find(IdText id) {
        int hash = id.hash();
        int place = hash & mask;
        while (true) { // to a free place at the latest
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
