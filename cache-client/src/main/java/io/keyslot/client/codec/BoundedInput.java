// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.io.Input;

/**
 * Bytes that are not trusted: what they say about a length is checked before anything of that length is allocated.
 *
 * <p>Every element that a length announces has bytes of its own. So all the lengths of one value together cannot be more
 * than its bytes, and what is allocated stays proportional to them, however deep arrays and maps are nested.
 *
 * <p>Kryo's own methods for strings and arrays do not check; nothing here calls them.
 */
final class BoundedInput extends Input {
    /** The longest name of a class. */
    private static final int MAX_NAME_BYTES = 1024;

    private int unannounced;

    BoundedInput(byte[] bytes) {
        super(bytes);
        unannounced = bytes.length;
    }

    /** Reads how many elements follow, each of which has at least this many bytes. */
    int readLength(int bytesEach) {
        int length = readVarInt(true);
        if (length < 0 || length > unannounced / bytesEach || length > (limit - position) / bytesEach) {
            throw new KryoException("A length is larger than the bytes allow");
        }
        unannounced -= length * bytesEach;
        return length;
    }

    byte[] readCountedBytes() {
        return readBytes(readLength(1));
    }

    String readText() {
        return Utf8.decode(readCountedBytes());
    }

    /** Reads the name of a class; whatever else may be wrong with it, it looks like one. */
    String readName() {
        String name = readText();
        if (name.isEmpty()
                || name.length() > MAX_NAME_BYTES
                || !name.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || "[.;-".indexOf(c) >= 0)) {
            throw new KryoException("A class name is malformed");
        }
        return name;
    }

    boolean atEnd() {
        return position == limit;
    }
}
