// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.util.List;

/** The names of the built-in codecs. */
public final class CodecNames {
    /** Selects the codec by the type of the values. */
    public static final String DEFAULT = "default";

    private static final List<String> NAMES = List.of(DEFAULT, "kryo5", "kryo", "string", "bytes", "json", "jdk");

    private CodecNames() {}

    public static List<String> all() {
        return NAMES;
    }
}
