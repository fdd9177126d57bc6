// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import java.util.Set;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * Changes of many entries that a cache writer has heard of, or will hear of once the cache has been changed. For use by one
 * thread.
 *
 * @param <K> the type of the keys
 */
interface Handovers<K> extends AutoCloseable {
    /** Returns the keys whose entries are to be changed now. */
    Set<K> keys();

    /** Says what became of the entry in the cache: null if it was changed. */
    void settle(K key, @Nullable KeyslotException failure);

    /** Says that the entries which are not settled were not changed. */
    @Override
    void close();

    /** Returns why the writer refused some of the entries that it was asked for, null if it did not. */
    @Nullable
    CacheWriterException failure();
}
