// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.KryoBufferUnderflowException;
import org.jspecify.annotations.Nullable;

/**
 * Reads untrusted bytes: checks a length before anything of that length is allocated. Reads directly from a shared
 * array, without changing it. Reused for the next value; not thread-safe.
 *
 * <p>Each announced element has bytes of its own, so the sum of all lengths in a value is at most the number of its
 * bytes, and allocation is proportional to them, however deep arrays and maps are nested. Overrides every method of
 * Kryo that allocates by a length, so Kryo's serializers of values are safe; those of containers are not used.
 */
final class BoundedInput extends Input {
    private static final byte[] NOTHING = {};
    private static final int LONGEST_NAME = 1024;

    private int unannounced;

    BoundedInput() {
        super(NOTHING);
    }

    void take(byte[] bytes, int offset, int length) {
        setBuffer(bytes, offset, length);
        unannounced = length;
    }

    void release() {
        take(NOTHING, 0, 0);
    }

    /** Reads a number of elements, each of which has at least {@code bytesEach} bytes. */
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

    /** Kryo's implementation changes a bit of the array while it reads. */
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

    /** Kryo's implementation throws an IllegalArgumentException for a bad count, as if the caller were wrong. */
    @Override
    public long readLong(int bytes) {
        return super.readLong(bytes < 0 ? announced(bytes, 1) : bytes);
    }

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

    /** Reads the name and shape of a recent type; returns null and reads nothing if there is none. */
    @Nullable
    GraphType readRecent(RecentTypes recent) {
        GraphType type = recent.find(buffer, position, limit);
        if (type != null) {
            int end = position + type.declaration().length;
            // Counts the name, as reading it does.
            readLength(1);
            position = end;
        }
        return type;
    }

    /** Returns the next byte without reading it; -1 at the end, and for bytes above 127. */
    int peek() {
        return position < limit ? Math.max(-1, buffer[position]) : -1;
    }

    boolean atEnd() {
        return position == limit;
    }

    /** At the end, Kryo's implementation would compact its buffer to the start of the shared array. */
    @Override
    protected int require(int required) {
        int remaining = limit - position;
        if (remaining < required) {
            throw new KryoBufferUnderflowException("Buffer underflow.");
        }
        return remaining;
    }

    @Override
    protected int optional(int optional) {
        int remaining = limit - position;
        return remaining == 0 ? -1 : Math.min(remaining, optional);
    }
}
