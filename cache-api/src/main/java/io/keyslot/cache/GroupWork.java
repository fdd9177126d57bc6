// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import org.jspecify.annotations.Nullable;

/**
 * The work of a group transaction. It may run several times, as others may change what it has read: it must have no
 * effect but on the transaction.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface GroupWork<T extends @Nullable Object> {
    T apply(GroupTransaction transaction);
}
