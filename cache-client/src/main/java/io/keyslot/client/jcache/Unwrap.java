// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

/** Implements {@code unwrap} of the JCache types. */
final class Unwrap {
    private Unwrap() {}

    /** Returns the object as this type, or throws {@code IllegalArgumentException} as JSR-107 requires. */
    static <T> T as(Object object, Class<T> type) {
        if (type.isInstance(object)) {
            return type.cast(object);
        }
        throw new IllegalArgumentException(
                "%s does not unwrap to %s".formatted(object.getClass().getSimpleName(), type.getName()));
    }
}
