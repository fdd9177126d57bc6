// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import org.jspecify.annotations.Nullable;

/**
 * What is to become of a key: it gets a value, or is deleted.
 *
 * @param value the value, which must not change any more; null if the key is deleted
 */
public record PendingChange<V>(@Nullable V value) {
    public static <V> PendingChange<V> put(V value) {
        return new PendingChange<>(value);
    }

    public static <V> PendingChange<V> delete() {
        return new PendingChange<>(null);
    }

    public boolean isDelete() {
        return value == null;
    }
}
