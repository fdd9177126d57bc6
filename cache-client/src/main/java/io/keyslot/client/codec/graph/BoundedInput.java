// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.KryoBufferUnderflowException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are not trusted: what they say about a length is checked before anything of that length is allocated.
 *
 * <p>Every element that a length announces has bytes of its own. So all the lengths of one value together cannot be more
 * than its bytes, and what is allocated stays proportional to them, however deep arrays and maps are nested.
 *
 * <p>Reads in the array where the bytes are, which others may read too: nothing here changes it. Used again for the next
 * value, so for one thread at a time.
 *
 * <p>Kryo's own methods for strings and arrays do not check; nothing here calls them.
 */
final class BoundedInput extends Input {
    /** The longest name of a class. */
    private static final int MAX_NAME_BYTES = 1024;

    private static final byte[] NOTHING = {};

    private int unannounced;

    BoundedInput() {
        super(NOTHING);
    }

    /** Begins to read these bytes of the array. */
    void take(byte[] bytes, int offset, int length) {
        setBuffer(bytes, offset, length);
        unannounced = length;
    }

    /** Lets go of the array. */
    void release() {
        take(NOTHING, 0, 0);
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
        int length = readLength(1);
        String text = Utf8.decode(buffer, position, length);
        position += length;
        return text;
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

    /** Reads the name and fingerprint of one of these types; null, and nothing is read, if it is none of them. */
    @Nullable
    GraphType readRecent(RecentTypes recent) {
        GraphType type = recent.find(buffer, position, limit);
        if (type != null) {
            // The name counts among the lengths, as when it is read.
            int nameBytes = readLength(1);
            position += nameBytes + Integer.BYTES;
        }
        return type;
    }

    /** Returns the next byte, without reading it; -1 if there is none, and for bytes above 127. */
    int peek() {
        return position < limit ? Math.max(-1, buffer[position]) : -1;
    }

    boolean atEnd() {
        return position == limit;
    }

    /** Kryo's own makes room for bytes of a stream: at the end, it goes back to the array's start, where others' are. */
    @Override
    protected int require(int required) {
        int remaining = limit - position;
        if (remaining < required) {
            throw new KryoBufferUnderflowException("Buffer underflow.");
        }
        return remaining;
    }

    /** As {@link #require}. */
    @Override
    protected int optional(int optional) {
        int remaining = limit - position;
        return remaining == 0 ? -1 : Math.min(remaining, optional);
    }
}
