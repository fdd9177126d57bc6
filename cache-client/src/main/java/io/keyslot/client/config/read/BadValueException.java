// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

/** A text does not have the form that it must have. The message completes a sentence that begins with the setting. */
final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadValueException(String predicate) {
        super(predicate, null, false, false);
    }

    /** Returns the message, which is never null. */
    public String predicate() {
        return String.valueOf(getMessage());
    }
}
