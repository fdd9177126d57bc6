// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.math.BigInteger;
import java.net.URI;
import java.util.Locale;

/**
 * Which classes of the JDK make something anew, when they are read by Java serialization, of what others can refer to
 * as well: a text, an array, a list. Ten thousand of them that refer to the same one are small in bytes and large in
 * memory. The collections do not: they read their elements themselves.
 */
final class OwnSizes {
    private static final int REFERENCE = Integer.BYTES;

    private OwnSizes() {}

    /** Returns about how many bytes an object that was just read has of its own, besides those of its fields. */
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
