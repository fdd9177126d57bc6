// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.codec.allow.CodecNames;
import java.util.List;

/**
 * The codec of values, unless a cache names another.
 *
 * @param defaultName the name of a codec or of its class; {@code default} is Kryo, but leaves text and bytes unchanged
 * @param allow the classes that may be read, such as {@code com.acme.Sale}, {@code com.acme.*} for a package, or
 *     {@code com.acme.**} with subpackages; none by default
 */
public record CodecOptions(String defaultName, List<String> allow) {
    public CodecOptions {
        allow = List.copyOf(allow);
    }

    public static CodecOptions defaults() {
        return new CodecOptions(CodecNames.DEFAULT, List.of());
    }
}
