// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * Changes of many entries that a cache writer has heard of, or will hear of once the cache has been changed. For use by one
 * thread.
 *
 * @param <K> the type of the keys
 */
public interface Handovers<K> extends AutoCloseable {
    /** Returns the keys whose entries are to be changed now. */
    Set<K> keys();

    /** Returns what is to go {@linkplain Handover#around around} the change of one of these entries, perhaps several times. */
    Handover of(K key);

    /**
     * Changes the entries together, and lets the writer hear of those that were changed or may have been; passes on what came
     * of each, in the order of {@link #keys}.
     *
     * @param problemOf says why an entry was not changed, or perhaps not; null if it was
     */
    <T extends @Nullable Object> List<T> aroundAll(
            Supplier<List<T>> change, Function<T, @Nullable KeyslotException> problemOf);

    /** Says that the other entries were not changed. */
    @Override
    void close();

    /** Returns why the writer refused some of the entries that it was asked for, null if it did not. */
    @Nullable
    CacheWriterException failure();
}
