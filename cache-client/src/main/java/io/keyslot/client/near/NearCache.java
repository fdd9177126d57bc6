// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearState;
import io.keyslot.cache.near.NearValues;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.entry.NearCounts;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.Envelope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The near cache of one cache, as those see it who read. A hit takes no lock, and allocates nothing if its value is shared. Safe
 * for use by several threads.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class NearCache<K, V> implements AutoCloseable {
    private final LocalKeys<K> keys;
    private final NearEntries copies;
    private final ValueCoder<V> coder;
    private final boolean areShared;
    private final NearCaches all;
    private final NearCounters counters;

    NearCache(LocalKeys<K> keys, NearEntries copies, ValueCoder<V> coder, NearValues values, NearCaches all) {
        this.keys = keys;
        this.copies = copies;
        this.coder = coder;
        this.areShared = values == NearValues.SHARED;
        this.all = all;
        this.counters = new NearCounters(copies);
    }

    /** A copy that answers a read, and what the caller gets of its value. */
    public record Hit<V>(V value, NearEntry copy) {
        /** Returns what the partition would have answered. */
        public Answer<V> answer() {
            return Answer.kept(value, copy.stamp(), copy.freshUntil());
        }
    }

    /** Returns the value of the entry if there is a copy that may be served, null if the partition is to be asked. */
    @Nullable
    public V get(K key) {
        Object place = keys.of(key);
        NearEntry copy = copies.find(place);
        V value = copy == null ? null : valueOf(place, copy);
        count(value != null);
        return value;
    }

    /** As {@link #get}, with what is known of the copy. */
    @Nullable
    public Hit<V> find(K key) {
        Object place = keys.of(key);
        NearEntry copy = copies.find(place);
        V value = copy == null ? null : valueOf(place, copy);
        count(value != null);
        return value == null || copy == null ? null : new Hit<>(value, copy);
    }

    /** Returns whether there is a copy that may be served. */
    public boolean contains(K key) {
        boolean isThere = copies.find(keys.of(key)) != null;
        count(isThere);
        return isThere;
    }

    /** As {@link #get}, where the partition is missing: null if that is to be told as if there were no copy. */
    @Nullable
    public V getMissing(K key) {
        Object place = keys.of(key);
        NearEntry copy = copies.findMissing(place);
        return copy == null ? null : valueOf(place, copy);
    }

    private void count(boolean isHit) {
        if (isHit) {
            counters.hit();
        } else {
            counters.miss();
        }
    }

    @SuppressWarnings("unchecked") // it is either the envelope or what was decoded from it
    private @Nullable V valueOf(Object place, NearEntry copy) {
        Object content = copy.content();
        if (!(content instanceof Envelope envelope)) {
            return (V) content;
        }
        Optional<V> decoded = decoded(envelope);
        if (decoded.isEmpty()) {
            copies.kill(place, copy, NearEnd.UNREADABLE); // the partition is asked, and says why
            return null;
        }
        V value = decoded.get();
        return areShared || Unchangeable.is(value) ? (V) copy.share(envelope, value) : value;
    }

    private Optional<V> decoded(Envelope envelope) {
        try {
            return coder.decode(envelope);
        } catch (CodecException e) {
            return Optional.empty();
        }
    }

    /** Returns a channel whose reads fill this near cache. */
    public Channel around(Channel next) {
        return all.channel(keys, copies, next);
    }

    /** Takes away all copies: the entries were removed. */
    public void clear() {
        copies.killAll(NearEnd.OWN_CHANGE);
    }

    /** Says what is known of the copy of an entry. */
    public NearState explain(K key) {
        return copies.explain(keys.of(key));
    }

    /** Returns what it counts. */
    public NearCounts counts() {
        return counters;
    }

    @Override
    public void close() {
        all.forget(copies);
        copies.killAll(NearEnd.OWN_CHANGE);
    }
}
