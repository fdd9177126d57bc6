// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.math.BigInteger;
import java.net.URI;
import java.util.Locale;

/**
 * Sizes of JDK objects whose deserialization copies a shared object, such as a text or an array. Ten thousand of them
 * that refer to one large object are small in bytes and large in memory. Collections do not copy.
 */
final class OwnSizes {
    private static final int REFERENCE = Integer.BYTES;

    private OwnSizes() {}

    /** Returns the approximate bytes that the object allocates besides its fields. */
    static long bytesOf(Object object) {
        if (object instanceof BigInteger number) {
            return number.bitLength() / Byte.SIZE;
        }
        if (object instanceof URI uri) {
            return uri.toString().length();
        }
        if (object instanceof Locale locale) {
            return locale.getLanguage().length() + (long) locale.getVariant().length();
        }
        if (object instanceof Throwable throwable) {
            return (long) REFERENCE * (throwable.getStackTrace().length + throwable.getSuppressed().length);
        }
        return 0;
    }
}
