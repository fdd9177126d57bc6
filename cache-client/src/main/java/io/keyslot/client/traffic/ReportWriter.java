// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the bytes of a report: whole numbers of seven bits in a byte, the lowest first, and texts after their length. */
final class ReportWriter {
    static final int BITS = 7;
    static final int MORE = 1 << BITS;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** @param format the first byte */
    ReportWriter(byte format) {
        out.write(format);
    }

    void write(long number) {
        long rest = number;
        while (rest >= MORE) {
            out.write((int) (rest & (MORE - 1)) | MORE);
            rest >>>= BITS;
        }
        out.write((int) rest);
    }

    void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(bytes.length);
        out.writeBytes(bytes);
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
