// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.io.InvalidObjectException;

/**
 * The memory that reading one value in Java serialization may allocate, by the number of its bytes. Counts every array
 * and table, also those that a collection allocates before reading its elements, and every copy of a shared object. One
 * total, because a limit per object would be multiplied by the number of collections. Not thread-safe.
 */
final class ReadAllowance {
    /**
     * An element has at least one byte. A hash table has up to 8 places for a key of 5 bytes, or 16 for a single key.
     */
    private static final int PLACES_FOR_A_BYTE = 4;

    private static final int COPIES_OF_A_BYTE = 16;

    /** Allows a small value with several objects that share a text. */
    private static final int FREE_COPIES = 1 << 20;

    private long places;
    private long copies;

    ReadAllowance(int bytes) {
        places = (long) PLACES_FOR_A_BYTE * bytes;
        copies = (long) COPIES_OF_A_BYTE * bytes + FREE_COPIES;
    }

    boolean admitsArray(Class<?> element, long length) {
        // Elements of a primitive type have all their bytes in the stream.
        places -= length * bytesOf(element);
        return places >= 0;
    }

    void requireCopied(long bytes) throws InvalidObjectException {
        copies -= bytes;
        if (copies < 0) {
            throw new InvalidObjectException("The value refers to the same large object too often");
        }
    }

    private static int bytesOf(Class<?> element) {
        if (element == long.class || element == double.class) {
            return Long.BYTES;
        }
        if (element == int.class || element == float.class) {
            return Integer.BYTES;
        }
        return element == char.class || element == short.class ? Short.BYTES : 1;
    }
}
