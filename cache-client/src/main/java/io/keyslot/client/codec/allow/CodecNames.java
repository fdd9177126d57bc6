// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.util.List;

/** The names of codecs that a configuration may have, besides those of classes. */
public final class CodecNames {
    /** Chosen by the type of the values. */
    public static final String DEFAULT = "default";

    private static final List<String> NAMES = List.of(DEFAULT, "kryo5", "kryo", "string", "bytes", "json", "jdk");

    private CodecNames() {}

    /** Returns all of them. */
    public static List<String> all() {
        return NAMES;
    }
}
