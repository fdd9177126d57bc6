// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.feed;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entry, or of aggregates of its group.
 *
 * @param kind what was done
 * @param key the key of the entry; for {@link Kind#GROUP} that of the group's root
 * @param value the new value of a {@link Kind#PUT}; null if the feed has no {@linkplain FeedOptions#values() values}, and
 *     for other kinds. It belongs to the caller
 * @param stamp identifies the change: that of the entry which was stored or removed. Equal stamps of a key are the same
 *     change; they have no order
 */
public record FeedChange<K, V>(Kind kind, K key, @Nullable V value, long stamp) {
    /** What a change does. */
    public enum Kind {
        /** The entry was created, replaced or loaded. */
        PUT,
        /** The entry was removed. Expiry and eviction are no changes. */
        REMOVE,
        /** One or several aggregates of the group were changed. */
        GROUP
    }

    public FeedChange {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(key, "key");
    }
}
