// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Writes and reads the values of one type. Safe for use by several threads. */
interface JsonMapping {
    /** Returns whether the type's JSON says of which subtype a value is. */
    boolean namesSubtypes();

    /** Returns whether it says so by the name of a class, which the reader looks up. */
    boolean namesClasses();

    /**
     * Writes a value.
     *
     * @throws IOException or a runtime exception if it has no JSON
     */
    void write(Object value, OutputStream target) throws IOException;

    /**
     * Reads a value; null if the JSON is {@code null}.
     *
     * @throws IOException or a runtime exception if the bytes are not a value of the type
     */
    @Nullable
    Object read(byte[] bytes, int offset, int length) throws IOException;
}
