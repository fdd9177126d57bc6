// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.io.Output;

/** The writing side of {@link BoundedInput}: counted bytes and counted text. */
final class Texts {
    private Texts() {}

    static void write(Output output, String text) {
        write(output, Utf8.encode(text));
    }

    static void write(Output output, byte[] bytes) {
        output.writeVarInt(bytes.length, true);
        output.writeBytes(bytes);
    }
}
