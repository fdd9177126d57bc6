// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

/** Thrown if a text has the wrong form. The message continues a sentence that begins with the setting. */
final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadValueException(String predicate) {
        super(predicate, null, false, false);
    }

    public String predicate() {
        return String.valueOf(getMessage());
    }
}
