// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * A number for the shape of a class: the CRC-32 of a text that lists its fields. A value that was written with another
 * shape has another number, and is refused instead of being put into the wrong fields.
 */
final class Fingerprint {
    private final StringBuilder text;

    private Fingerprint(String kind) {
        text = new StringBuilder(kind);
    }

    static Fingerprint start(String kind) {
        return new Fingerprint(kind);
    }

    static int ofKind(String kind) {
        return start(kind).value();
    }

    Fingerprint add(String name, Class<?> type) {
        text.append(' ').append(name).append(':').append(type.getName());
        return this;
    }

    int value() {
        CRC32 crc = new CRC32();
        crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }
}
