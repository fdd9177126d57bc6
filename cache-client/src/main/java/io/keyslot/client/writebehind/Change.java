// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writebehind;

import org.jspecify.annotations.Nullable;

/**
 * What is to become of a key: it gets a value, or is deleted.
 *
 * @param value the value, which must not change any more; null if the key is deleted
 */
public record Change<V>(@Nullable V value) {
    public static <V> Change<V> put(V value) {
        return new Change<>(value);
    }

    public static <V> Change<V> delete() {
        return new Change<>(null);
    }

    public boolean isDelete() {
        return value == null;
    }
}
