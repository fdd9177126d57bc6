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
 * <p>Every method of Kryo that allocates what the bytes announce is overridden, so Kryo's own serializers of values are safe.
 * Those of containers allocate by themselves: they are not used.
 */
final class BoundedInput extends Input {
    private static final byte[] NOTHING = {};
    private static final int LONGEST_NAME = 1024;

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
        return announced(readVarInt(true), bytesEach);
    }

    private int announced(int length, int bytesEach) {
        if (length < 0 || length > unannounced / bytesEach || length > (limit - position) / bytesEach) {
            throw new KryoException("A length is larger than the bytes allow");
        }
        unannounced -= length * bytesEach;
        return length;
    }

    /** Kryo's own changes a bit of the array while it reads. */
    @Override
    public String readString() {
        int length = readLength(1);
        String text = Utf8.decode(buffer, position, length);
        position += length;
        return text;
    }

    @Override
    public StringBuilder readStringBuilder() {
        return new StringBuilder(readString());
    }

    @Override
    public byte[] readBytes(int length) {
        return super.readBytes(announced(length, 1));
    }

    @Override
    public boolean[] readBooleans(int length) {
        return super.readBooleans(announced(length, 1));
    }

    @Override
    public char[] readChars(int length) {
        return super.readChars(announced(length, Character.BYTES));
    }

    @Override
    public short[] readShorts(int length) {
        return super.readShorts(announced(length, Short.BYTES));
    }

    @Override
    public int[] readInts(int length) {
        return super.readInts(announced(length, Integer.BYTES));
    }

    @Override
    public int[] readInts(int length, boolean optimizePositive) {
        return super.readInts(announced(length, 1), optimizePositive);
    }

    @Override
    public long[] readLongs(int length) {
        return super.readLongs(announced(length, Long.BYTES));
    }

    @Override
    public long[] readLongs(int length, boolean optimizePositive) {
        return super.readLongs(announced(length, 1), optimizePositive);
    }

    @Override
    public float[] readFloats(int length) {
        return super.readFloats(announced(length, Float.BYTES));
    }

    @Override
    public double[] readDoubles(int length) {
        return super.readDoubles(announced(length, Double.BYTES));
    }

    /** A number of so many bytes; Kryo's own says of a bad count that it is an argument. */
    @Override
    public long readLong(int bytes) {
        return super.readLong(bytes < 0 ? announced(bytes, 1) : bytes);
    }

    /** Reads the name of a class; whatever else may be wrong with it, it looks like one. */
    String readName() {
        String name = readString();
        boolean isName = !name.isEmpty()
                && name.length() <= LONGEST_NAME
                && name.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || "[.;-".indexOf(c) >= 0);
        if (!isName) {
            throw new KryoException("A class name is malformed");
        }
        return name;
    }

    /** Reads the name and shape of one of these types; null, and nothing is read, if it is none of them. */
    @Nullable
    GraphType readRecent(RecentTypes recent) {
        GraphType type = recent.find(buffer, position, limit);
        if (type != null) {
            int end = position + type.declaration().length;
            // The name counts among the lengths, as when it is read.
            readLength(1);
            position = end;
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
