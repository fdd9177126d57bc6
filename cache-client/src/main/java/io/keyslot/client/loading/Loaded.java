// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.LoadedValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A value that a loader returned, and its time to live if the loader has set one. */
record Loaded<V>(V value, @Nullable Duration timeToLive) {
    @SuppressWarnings("unchecked") // by its contract, a loader wraps values of the cache
    static <V> Loaded<V> of(V answer) {
        return answer instanceof LoadedValue<?> loaded
                ? new Loaded<>((V) loaded.value(), loaded.timeToLive())
                : new Loaded<>(answer, null);
    }
}
