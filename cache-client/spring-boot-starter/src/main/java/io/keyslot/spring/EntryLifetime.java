// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A bean that decides the time to live of each entry that Spring's cache abstraction stores. There may be one. */
@FunctionalInterface
public interface EntryLifetime {
    /**
     * Returns the time to live, more than zero; null for the {@link CacheTtl} of the method or the configuration. The
     * value is null if the method returned null.
     */
    @Nullable
    Duration of(String cacheName, Object key, @Nullable Object value);
}
