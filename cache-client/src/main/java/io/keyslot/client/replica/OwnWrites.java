// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.routing.WriteListener;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The time of this process's last write of each key, shared by keys with the same table place. Before {@link #begin},
 * it costs one field read. Thread-safe.
 */
final class OwnWrites implements WriteListener, EntryChanges {
    private static final int PLACES = 1 << 14;

    private final Ticker ticker;
    private volatile @Nullable AtomicLongArray times;
    private volatile long begun;

    OwnWrites(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Starts recording; earlier writes count as written now. */
    synchronized void begin() {
        if (times == null) {
            long now = ticker.nanos();
            AtomicLongArray all = new AtomicLongArray(PLACES);
            for (int place = 0; place < PLACES; place++) {
                all.set(place, now);
            }
            times = all;
            begun = ticker.nanos(); // after all threads that found no table
        }
    }

    /** Returns whether all writes of the key were answered before this time. */
    boolean areBefore(long nanos, EncodedKey key) {
        AtomicLongArray noted = times;
        return noted != null && nanos - begun > 0 && nanos - noted.get(key.placeIn(PLACES)) > 0;
    }

    private void note(EncodedKey key) {
        AtomicLongArray noted = times;
        if (noted != null) {
            noted.accumulateAndGet(key.placeIn(PLACES), ticker.nanos(), (one, other) -> other - one > 0 ? other : one);
        }
    }

    @Override
    public void written(List<EncodedKey> keys) {
        if (times != null) {
            keys.forEach(this::note);
        }
    }

    /** Also called for a write whose answer was lost, once its outcome is known. */
    @Override
    public void stored(EncodedKey key, Expiry onCreation, Expiry onUpdate) {
        note(key);
    }

    @Override
    public void removed(EncodedKey key) {
        note(key);
    }

    @Override
    public void unsettled(EncodedKey key) {
        note(key);
    }
}
