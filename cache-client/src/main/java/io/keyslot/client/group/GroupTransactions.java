// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.GroupWork;
import org.jspecify.annotations.Nullable;

/** The transactions of one group. */
@SuppressWarnings("DoNotCallSuggester") // until it is built
final class GroupTransactions {
    GroupTransactions(GroupParts parts) {}

    <T extends @Nullable Object> T transact(GroupWork<T> work) {
        throw new UnsupportedOperationException("not yet");
    }

    <T extends @Nullable Object> T invoke(GroupProcessor<T> processor, Object... arguments) {
        throw new UnsupportedOperationException("not yet");
    }
}
