// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearState;
import io.keyslot.cache.near.NearValues;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The near cache of one cache. A hit takes no lock, and allocates nothing if its value is shared. Thread-safe. */
public final class NearCache<K, V> implements AutoCloseable {
    private final LocalKeys<K> keys;
    private final NearEntries copies;
    private final ValueCoder<V> coder;
    private final boolean areShared;
    private final NearCaches all;
    private final PartitionRouter router;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    NearCache(
            LocalKeys<K> keys,
            NearEntries copies,
            ValueCoder<V> coder,
            NearValues values,
            NearCaches all,
            PartitionRouter router,
            CacheTelemetry telemetry) {
        this.keys = keys;
        this.copies = copies;
        this.coder = coder;
        this.areShared = values == NearValues.SHARED;
        this.all = all;
        this.router = router;
        telemetry.showNear(hits::sum, misses::sum, copies::entries, copies::bytes);
    }

    /** Returns the value of a usable near entry, null if the partition must be asked. */
    @Nullable
    public V get(K key) {
        Object place = keys.of(key);
        NearEntry copy = copies.find(place);
        V value = copy == null ? null : valueOf(key, place, copy);
        count(value != null);
        return value;
    }

    public boolean contains(K key) {
        boolean isThere = copies.find(keys.of(key)) != null;
        count(isThere);
        return isThere;
    }

    /** Like {@link #get} for a missing partition: null if the call must fail as without a near cache. */
    @Nullable
    public V getMissing(K key) {
        Object place = keys.of(key);
        NearEntry copy = copies.findMissing(place);
        return copy == null ? null : valueOf(key, place, copy);
    }

    private void count(boolean isHit) {
        (isHit ? hits : misses).increment();
    }

    @SuppressWarnings("unchecked") // either the envelope or the value decoded from it
    private @Nullable V valueOf(K key, Object place, NearEntry copy) {
        Object content = copy.content();
        if (!(content instanceof Envelope envelope)) {
            return (V) content;
        }
        V value = decoded(key, place, envelope);
        if (value == null) {
            copies.kill(place, copy, NearEnd.UNREADABLE); // the partition is asked, and reports the reason
            return null;
        }
        return areShared || Unchangeable.is(value) ? (V) copy.share(envelope, value) : value;
    }

    private EncodedKey storedOf(K key, Object place) {
        return place instanceof EncodedKey stored ? stored : keys.stored(key);
    }

    private @Nullable V decoded(K key, Object place, Envelope envelope) {
        try {
            return coder.decode(coder.isEncrypted() ? storedOf(key, place) : null, envelope)
                    .orElse(null);
        } catch (KeyslotException e) {
            return null;
        }
    }

    public Channel around(Channel next) {
        return all.channel(copies, next, router);
    }

    public void clear() {
        copies.killAll(NearEnd.OWN_CHANGE);
    }

    public NearState explain(K key) {
        return copies.explain(keys.of(key));
    }

    /** The hits and misses so far, and the approximate number of near entries and their size. */
    public record Counts(long hits, long misses, long entries, long bytes) {}

    public Counts counts() {
        return new Counts(hits.sum(), misses.sum(), copies.entries(), copies.bytes());
    }

    @Override
    public void close() {
        all.remove(copies);
        copies.killAll(NearEnd.OWN_CHANGE);
    }
}
