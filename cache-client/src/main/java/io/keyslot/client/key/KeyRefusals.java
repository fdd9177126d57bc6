// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;

/** Tells apart what can go wrong in a constructor or method of an application's key class. */
final class KeyRefusals {
    private KeyRefusals() {}

    /** Returns the exception for a stored key that its class does not accept. Rethrows errors. */
    static IllegalArgumentException refused(Executable executable, InvocationTargetException failure) {
        if (failure.getCause() instanceof Error error) {
            throw error;
        }
        String message = "class %s refused its components"
                .formatted(executable.getDeclaringClass().getName());
        return new IllegalArgumentException(message, failure.getCause());
    }
}
