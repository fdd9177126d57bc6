// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A bean that says how long an entry lives which Spring's cache abstraction stores. There may be one. */
@FunctionalInterface
public interface EntryLifetime {
    /**
     * Returns how long it lives, more than zero; null for what {@link CacheTtl} of the method says, or else the configuration of
     * the cache.
     *
     * @param value null if that is what the method has returned
     */
    @Nullable
    Duration of(String cacheName, Object key, @Nullable Object value);
}
