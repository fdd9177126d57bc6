// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.io.IOException;
import java.security.UnrecoverableKeyException;

/** Describes why a file cannot be used. Messages of the JVM may quote the file, so only their class is used. */
final class FileProblem {
    private FileProblem() {}

    public static String of(Exception thrown) {
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
