// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.json;

/** A text is not JSON, or is more than is read. The message says where, and repeats nothing of the text. */
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    JsonException(int at, String problem) {
        super("at character %d: %s".formatted(at + 1, problem));
    }
}
