// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.io.Output;

/** The output for {@link BoundedInput}: texts as UTF-8 after their length, in a buffer that grows. */
final class ValueOutput extends Output {
    private static final int UNBOUNDED = -1;

    ValueOutput(int initialBytes) {
        super(initialBytes, UNBOUNDED);
    }

    @Override
    public void writeString(String text) {
        if (!tryAscii(text)) {
            byte[] utf8 = Utf8.encode(text);
            writeVarInt(utf8.length, true);
            writeBytes(utf8);
        }
    }

    @Override
    public void writeAscii(String text) {
        writeString(text);
    }

    /** Writes a text of ASCII characters without an intermediate array; writes nothing if it has others. */
    private boolean tryAscii(String text) {
        int start = position;
        int length = text.length();
        writeVarInt(length, true);
        require(length);
        if (!Utf8.copyAscii(text, buffer, position)) {
            position = start;
            return false;
        }
        position += length;
        return true;
    }
}
