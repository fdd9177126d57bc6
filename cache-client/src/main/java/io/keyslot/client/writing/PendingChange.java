// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import org.jspecify.annotations.Nullable;

/** A change to write: an immutable value, or null for a delete. */
record PendingChange<V>(@Nullable V value) {
    boolean isDelete() {
        return value == null;
    }
}
