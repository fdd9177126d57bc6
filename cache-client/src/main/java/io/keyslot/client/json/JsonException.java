// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.json;

/** Thrown if a text is not JSON, or exceeds a limit. The message has the position, and quotes nothing of the text. */
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    JsonException(int at, String problem) {
        super("at character %d: %s".formatted(at + 1, problem));
    }
}
