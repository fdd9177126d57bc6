// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import java.util.Comparator;
import java.util.Objects;
import java.util.function.Predicate;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** The query of a scan; {@code limit} is at least 1, and without an order, any entries are returned. */
public record ScanQuery<K, V>(
        Predicate<? super Cache.Entry<K, V>> filter,
        int limit,
        @Nullable Comparator<? super Cache.Entry<K, V>> order) {
    public ScanQuery {
        Objects.requireNonNull(filter, "filter");
        if (limit < 1) {
            throw new IllegalArgumentException("The limit of a scan is %d, must be at least 1".formatted(limit));
        }
    }
}
