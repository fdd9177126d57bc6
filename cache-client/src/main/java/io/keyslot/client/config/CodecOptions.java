// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.codec.allow.CodecNames;
import java.util.List;

/**
 * How values become bytes, unless a cache says otherwise.
 *
 * @param defaultName the codec of caches that name none, or the name of its class; {@code default} takes text and bytes
 *     as they are and everything else with Kryo
 * @param allow the classes whose instances may be read, as {@code com.acme.Sale}, {@code com.acme.*} for a package or
 *     {@code com.acme.**} for a package and those below it; none by default
 */
public record CodecOptions(String defaultName, List<String> allow) {
    public CodecOptions {
        allow = List.copyOf(allow);
    }

    public static CodecOptions defaults() {
        return new CodecOptions(CodecNames.DEFAULT, List.of());
    }
}
