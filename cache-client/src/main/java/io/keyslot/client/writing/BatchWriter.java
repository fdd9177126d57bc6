// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where changes go in the end. Called by one thread at a time; what it throws means that nothing was written.
 *
 * @param <K> what identifies an entry
 * @param <V> what is written
 */
interface BatchWriter<K, V> {
    Outcome<K> writeAll(Map<K, V> values);

    Outcome<K> deleteAll(Set<K> keys);

    /**
     * Tells of changes that were written, before anybody else is told, each the last of its key in this process: if the
     * cache has something else by now, the order in which other processes write is not known, and it must not keep that.
     *
     * @param changes the value of each key, empty if it was deleted
     */
    void written(Map<K, Optional<V>> changes);

    /** Tells of changes that the cache may not have made, or the writer has not: its copies are out of date. */
    void outdated(Set<K> keys);

    /**
     * What became of a batch.
     *
     * @param failed the keys whose change was not written
     * @param failure why, null if all were written
     */
    record Outcome<K>(Set<K> failed, @Nullable Throwable failure) {}
}
