// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import org.jspecify.annotations.Nullable;

/**
 * An entry processor over a group. It runs in this process and may run several times: it must have no effect except on
 * the group.
 *
 * @see javax.cache.processor.EntryProcessor
 */
@FunctionalInterface
public interface GroupProcessor<T extends @Nullable Object> {
    T process(GroupTransaction group, Object... arguments);
}
