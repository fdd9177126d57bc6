// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;

/**
 * How values become bytes, unless a cache says otherwise.
 *
 * @param defaultName the codec of caches that name none, {@code kryo} by default; or the name of a class
 * @param allow the classes whose instances may be read, as {@code com.acme.Sale}, {@code com.acme.*} for a package or
 *     {@code com.acme.**} for a package and those below it; none by default
 */
public record CodecOptions(String defaultName, List<String> allow) {
    public CodecOptions {
        allow = List.copyOf(allow);
    }

    public static CodecOptions defaults() {
        return new CodecOptions("kryo", List.of());
    }
}
