// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.io.IOException;
import java.security.UnrecoverableKeyException;

/** Thrown if a text has the wrong form. The message continues a sentence that begins with the setting. */
final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    BadValueException(String predicate) {
        super(predicate, null, false, false);
    }

    String predicate() {
        return String.valueOf(getMessage());
    }

    /** Describes why a file cannot be used. Messages of the JVM may quote the file, so only their class is used. */
    static String describe(Exception thrown) {
        if (thrown instanceof BadValueException bad) {
            return bad.predicate();
        }
        if (thrown instanceof IOException) {
            return thrown.getCause() instanceof UnrecoverableKeyException
                    ? "cannot be opened: is the password right?"
                    : "names a file that cannot be read (%s)"
                            .formatted(thrown.getClass().getSimpleName());
        }
        return thrown instanceof UnrecoverableKeyException
                ? "has a key with another password than the store; give both the same"
                : "cannot be used as what it is to be (%s)"
                        .formatted(thrown.getClass().getSimpleName());
    }
}
