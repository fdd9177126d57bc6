// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The hashed part of a key, as placements read it: {@code namespace/type:id}. It is parsed in the bytes of the key,
 * because most keys are of a type without a placement.
 */
// colon is the end of the type, or NOWHERE
public record RootText(
        @SuppressWarnings("ArrayRecordComponent") byte[] bytes, int typeBegin, int colon, int end) {
    private static final int NOWHERE = -1;

    public static RootText of(EncodedKey key) {
        byte[] bytes = key.bytes();
        int open = indexOf('{', bytes, 0, bytes.length);
        int close = open == NOWHERE ? NOWHERE : indexOf('}', bytes, open + 1, bytes.length);
        boolean isTagged = close > open + 1;
        int begin = isTagged ? open + 1 : 0;
        int end = isTagged ? close : bytes.length;
        int colon = indexOf(':', bytes, begin, end);
        return new RootText(bytes, colon == NOWHERE ? begin : behindLastSlash(bytes, begin, colon), colon, end);
    }

    private static int indexOf(char wanted, byte[] bytes, int begin, int end) {
        for (int i = begin; i < end; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return NOWHERE;
    }

    private static int behindLastSlash(byte[] bytes, int begin, int end) {
        int i = end;
        while (i > begin && bytes[i - 1] != '/') {
            i--;
        }
        return i;
    }

    public boolean hasType() {
        return colon != NOWHERE;
    }

    public int typeLength() {
        return colon - typeBegin;
    }

    public boolean isOfType(byte[] type) {
        return Arrays.equals(bytes, typeBegin, colon, type, 0, type.length);
    }

    public String type() {
        return hasType() ? new String(bytes, typeBegin, typeLength(), StandardCharsets.UTF_8) : "";
    }

    public IdText id() {
        return new IdText(bytes, colon + 1, end);
    }
}
