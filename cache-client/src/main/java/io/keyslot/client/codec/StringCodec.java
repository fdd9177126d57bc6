// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

/**
 * Strings as UTF-8, readable by every other program. Keeps unpaired surrogates as three bytes each, which other
 * programs may refuse. Immutable. Decoding throws {@link IllegalArgumentException} if the bytes are not UTF-8.
 */
public final class StringCodec implements ArrayCodec<String> {
    @Override
    public String name() {
        return "string";
    }

    @Override
    public byte[] encode(String value, int gapBytes) {
        byte[] bytes = new byte[gapBytes + value.length()];
        if (Utf8.copyAscii(value, bytes, gapBytes)) {
            return bytes;
        }
        byte[] utf8 = Utf8.encode(value);
        byte[] longer = new byte[gapBytes + utf8.length];
        System.arraycopy(utf8, 0, longer, gapBytes, utf8.length);
        return longer;
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
        return Utf8.decode(bytes, offset, length);
    }
}
