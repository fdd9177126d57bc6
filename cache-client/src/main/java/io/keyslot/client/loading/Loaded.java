// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.LoadedValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a loader found.
 *
 * @param value the value
 * @param timeToLive how long the loader says that it may be kept, null if it says nothing
 */
record Loaded<V>(V value, @Nullable Duration timeToLive) {
    /** Returns what the loader's answer means. */
    @SuppressWarnings("unchecked") // a loader promises that what it wraps is a value of the cache
    static <V> Loaded<V> of(V answer) {
        return answer instanceof LoadedValue<?> loaded
                ? new Loaded<>((V) loaded.value(), loaded.timeToLive())
                : new Loaded<>(answer, null);
    }
}
