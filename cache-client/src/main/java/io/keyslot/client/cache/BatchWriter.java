// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the changes of a queue. Called by one thread at a time; an exception means that nothing was written. */
interface BatchWriter<K, V> {
    Outcome<K> writeAll(Map<K, V> values);

    Outcome<K> deleteAll(Set<K> keys);

    /**
     * Called after changes were written, before their calls are completed. Each is the last change of its key in this
     * process, empty for a delete. If the cache has another value by now, the order of writes by other processes is
     * unknown, and the cache must not keep it.
     */
    void written(Map<K, Optional<V>> changes);

    /** Called with keys whose changes the cache or the writer may not have, so that stored values are outdated. */
    void outdated(Set<K> keys);

    /** The keys whose change was not written, and the reason, or null if all were written. */
    record Outcome<K>(Set<K> failed, @Nullable Throwable failure) {}
}
