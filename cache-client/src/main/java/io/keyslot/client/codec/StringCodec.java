// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;

/**
 * Strings as UTF-8, readable by every other program. Unpaired surrogates survive, as three bytes each, which other
 * programs may refuse.
 *
 * <p>Immutable. {@link #decode} throws {@link IllegalArgumentException} if the bytes are not UTF-8.
 */
public final class StringCodec implements Codec<String> {
    @Override
    public String name() {
        return "string";
    }

    @Override
    public byte[] encode(String value) {
        return Utf8.encode(value);
    }

    @Override
    public String decode(ByteBuffer bytes) {
        return Utf8.decode(BytesCodec.remainingOf(bytes));
    }
}
