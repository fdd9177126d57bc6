// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.entry.ReadAhead;
import java.util.Iterator;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * An iterator of a cache. Only steps that read from partitions are calls, not entries that were read ahead; an
 * observation of the whole iteration would not end if the iterator is abandoned. Not thread-safe.
 */
final class ObservedIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
    private final Iterator<Cache.Entry<K, V>> entries;
    private final CacheObservations observations;
    private @Nullable K last;

    ObservedIterator(Iterator<Cache.Entry<K, V>> entries, CacheObservations observations) {
        this.entries = entries;
        this.observations = observations;
    }

    @Override
    public boolean hasNext() {
        return isAtHand() ? entries.hasNext() : observations.now("iterator", null, entries::hasNext);
    }

    private boolean isAtHand() {
        return entries instanceof ReadAhead ahead && ahead.isAtHand();
    }

    @Override
    public Cache.Entry<K, V> next() {
        boolean unused = hasNext();
        Cache.Entry<K, V> entry = entries.next();
        last = entry.getKey();
        return entry;
    }

    @Override
    public void remove() {
        observations.run("remove", last, entries::remove);
    }
}
