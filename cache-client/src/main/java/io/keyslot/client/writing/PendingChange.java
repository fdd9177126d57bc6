// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import org.jspecify.annotations.Nullable;

/**
 * What is to become of a key: it gets a value, or is deleted.
 *
 * @param value the value, which must not change any more; null if the key is deleted
 */
record PendingChange<V>(@Nullable V value) {
    boolean isDelete() {
        return value == null;
    }
}
