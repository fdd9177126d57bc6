// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;

/** Information from the beginning of a class file. {@code isInterface} includes annotations. */
record ClassHeader(boolean isInterface) {
    private static final int TEXT = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    /** The number of bytes of each kind of constant after its tag: Java Virtual Machine Specification, section 4.4. */
    private static final int[] BYTES = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

    static ClassHeader of(Class<?> type) {
        return new ClassHeader(type.isInterface());
    }

    /** Throws {@code IOException} if the file ends too early. */
    static ClassHeader read(InputStream file) throws IOException {
        DataInputStream input = new DataInputStream(file);
        input.readInt(); // the magic number
        input.readInt(); // the version
        int constants = input.readUnsignedShort();
        for (int i = 1; i < constants; i++) {
            int kind = input.readUnsignedByte();
            if (kind == TEXT) {
                input.skipNBytes(input.readUnsignedShort());
            } else {
                input.skipNBytes(BYTES[kind]);
            }
            i += kind == LONG || kind == DOUBLE ? 1 : 0; // they take two indexes
        }
        return new ClassHeader(Modifier.isInterface(input.readUnsignedShort()));
    }
}
