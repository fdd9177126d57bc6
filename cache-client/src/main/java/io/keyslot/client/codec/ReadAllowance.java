// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.io.InvalidObjectException;

/**
 * What one value in Java serialization may make its reader allocate, by the number of its bytes. Every array and table
 * counts, also those that a collection makes before it reads its elements, and so does what is made anew of something
 * that was read once and can be named many times. All of them together have a bound: one for each of them would be
 * multiplied by the number of collections.
 *
 * <p>For one thread and one value.
 */
final class ReadAllowance {
    /**
     * An element has at least one byte. A hash table asks for up to eight places for each key, which has five bytes at
     * least, or for sixteen if there is only one key.
     */
    private static final int PLACES_FOR_A_BYTE = 4;

    private static final int COPIES_OF_A_BYTE = 16;

    /** So that a small value may hold several objects that share a text. */
    private static final int FREE_COPIES = 1 << 20;

    private long places;
    private long copies;

    ReadAllowance(int bytes) {
        places = (long) PLACES_FOR_A_BYTE * bytes;
        copies = (long) COPIES_OF_A_BYTE * bytes + FREE_COPIES;
    }

    /** Returns whether an array may be made, and counts it. */
    boolean admitsArray(Class<?> element, long length) {
        // Elements of a primitive type have all their bytes in the stream.
        places -= length * bytesOf(element);
        return places >= 0;
    }

    /** Counts what was copied while an object was read. */
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
