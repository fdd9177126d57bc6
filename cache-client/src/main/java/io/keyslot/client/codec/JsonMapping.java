// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Writes and reads the values of one type. Safe for use by several threads. */
interface JsonMapping {
    boolean namesSubtypes();

    /** Returns whether the type's JSON identifies subtypes by class names. */
    boolean namesClasses();

    /** Throws {@code IOException} or a runtime exception if it has no JSON. */
    void write(Object value, OutputStream target) throws IOException;

    /** Reads a value; null if the JSON is {@code null}. Throws if the bytes are not a value of the type. */
    @Nullable
    Object read(byte[] bytes, int offset, int length) throws IOException;
}
