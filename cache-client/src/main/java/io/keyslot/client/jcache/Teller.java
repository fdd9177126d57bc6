// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.List;
import javax.cache.Cache;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** Tells the listeners of changes. What they hear shares nothing with the caller, nor with what another one hears. */
final class Teller<K, V> {
    private final CacheParts<K, V> parts;
    private final Cache<K, V> source;

    Teller(CacheParts<K, V> parts, Cache<K, V> source) {
        this.parts = parts;
        this.source = source;
    }

    void tell(EventType type, K key, @Nullable V value, @Nullable V oldValue) {
        if (!parts.events().isEmpty()) {
            parts.events()
                    .dispatch(
                            source, List.of(new CacheEvent<>(source, type, key, value, oldValue)), parts.coder()::copy);
        }
    }
}
