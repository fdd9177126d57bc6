// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import org.jspecify.annotations.Nullable;

/**
 * The work of a group transaction. It may run several times, because others may change what it read: it must have no
 * effect except on the transaction.
 */
@FunctionalInterface
public interface GroupWork<T extends @Nullable Object> {
    T apply(GroupTransaction transaction);
}
