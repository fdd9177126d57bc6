// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.Arrays;

/** The proof that the form of a key tells all that makes it equal to others. */
final class KeyProof {
    private KeyProof() {}

    /** @throws IllegalArgumentException if a key is not what was rebuilt from its text */
    static void requireEqual(Object key, Object fromText) {
        Object[] original = {key};
        Object[] rebuilt = {fromText};
        if (!Arrays.deepEquals(original, rebuilt)
                || !Arrays.deepEquals(rebuilt, original)
                || Arrays.deepHashCode(original) != Arrays.deepHashCode(rebuilt)) {
            throw new IllegalArgumentException(
                    "rebuilt from its components it is not equal to itself. Its equals and hashCode must compare all"
                            + " fields that are not transient, and arrays by content; use a record without arrays,"
                            + " an EntityKey or a String");
        }
    }
}
