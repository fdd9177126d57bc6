// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The stored form of a field, value, element or score, ordered by unsigned bytes. Immutable if its bytes are. */
public record Element(
        @SuppressWarnings("ArrayRecordComponent") byte[] bytes) implements Comparable<Element> {

    /** Creates an element without copying the bytes, which must not change any more. */
    public static Element of(byte[] bytes) {
        return new Element(bytes);
    }

    public static Element of(String text) {
        return new Element(text.getBytes(StandardCharsets.UTF_8));
    }

    public static Element of(long number) {
        return of(Long.toString(number));
    }

    public int length() {
        return bytes.length;
    }

    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public int compareTo(Element other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Element element && Arrays.equals(bytes, element.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the length only: content must not be logged. */
    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
