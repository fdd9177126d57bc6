// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupLock;
import java.time.Duration;
import java.util.Optional;

/** The lock of one group. */
@SuppressWarnings("DoNotCallSuggester") // until it is built
final class GroupLocks implements GroupLock {
    GroupLocks(GroupParts parts) {}

    @Override
    public Optional<Held> tryLock(Duration wait, Duration lease) {
        throw new UnsupportedOperationException("not yet");
    }
}
