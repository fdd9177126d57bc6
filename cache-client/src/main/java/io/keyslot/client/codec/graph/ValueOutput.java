// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.io.Output;

/** The writing side of {@link BoundedInput}: counted bytes and counted text, in a buffer that grows. */
final class ValueOutput extends Output {
    private static final int UNBOUNDED = -1;

    ValueOutput(int initialBytes) {
        super(initialBytes, UNBOUNDED);
    }

    void writeCountedBytes(byte[] bytes) {
        writeVarInt(bytes.length, true);
        writeBytes(bytes);
    }

    void writeText(String text) {
        if (!tryAscii(text)) {
            writeCountedBytes(Utf8.encode(text));
        }
    }

    /** Writes a text whose characters have one byte each, without an array in between; if others are met, nothing. */
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
