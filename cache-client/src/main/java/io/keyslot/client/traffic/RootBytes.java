// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The root of a key in its bytes: what is between its braces, else all of it, as {@code HashSlot.tag} has it of a text. Pure. */
final class RootBytes {
    private RootBytes() {}

    /** Returns whether two keys have the same root. Allocates nothing. */
    static boolean areSame(byte[] one, byte[] other) {
        int from = from(one);
        int otherFrom = from(other);
        return Arrays.equals(one, from, to(one, from), other, otherFrom, to(other, otherFrom));
    }

    /** Returns the root of a key as text. */
    static String textOf(byte[] key) {
        int from = from(key);
        return new String(key, from, to(key, from) - from, StandardCharsets.UTF_8);
    }

    private static int from(byte[] key) {
        int open = indexOf(key, '{', 0);
        return open >= 0 && indexOf(key, '}', open + 1) > open + 1 ? open + 1 : 0;
    }

    private static int to(byte[] key, int from) {
        return from == 0 ? key.length : indexOf(key, '}', from);
    }

    private static int indexOf(byte[] key, char wanted, int from) {
        for (int i = from; i < key.length; i++) {
            if (key[i] == wanted) {
                return i;
            }
        }
        return -1;
    }
}
