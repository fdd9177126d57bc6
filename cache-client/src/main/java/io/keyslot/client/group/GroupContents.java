// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupMember;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Everything that is in one group. */
@SuppressWarnings("DoNotCallSuggester") // until it is built
final class GroupContents {
    GroupContents(GroupParts parts) {}

    GroupRows<Object> rows(String type) {
        throw new UnsupportedOperationException("not yet");
    }

    <V> GroupRows<V> rows(String type, Class<V> valueClass) {
        throw new UnsupportedOperationException("not yet");
    }

    Map<EntityKey, Object> getAll() {
        throw new UnsupportedOperationException("not yet");
    }

    List<GroupMember> members() {
        throw new UnsupportedOperationException("not yet");
    }

    long expireAll(Duration timeToLive) {
        throw new UnsupportedOperationException("not yet");
    }

    long removeAll() {
        throw new UnsupportedOperationException("not yet");
    }

    long count() {
        throw new UnsupportedOperationException("not yet");
    }

    GroupSize size() {
        throw new UnsupportedOperationException("not yet");
    }
}
