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
 * When this process last wrote under a key, or under another one that has the same place in a table. Until it {@linkplain #begin
 * begins}, it costs a look at a field. Safe for use by several threads.
 */
public final class OwnWrites implements WriteListener, EntryChanges {
    private static final int PLACES = 1 << 14;

    private final Ticker ticker;
    private volatile @Nullable AtomicLongArray times;
    private volatile long begun;

    public OwnWrites(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Notes writes from now on. What was written before counts as written now. */
    synchronized void begin() {
        if (times == null) {
            long now = ticker.nanos();
            AtomicLongArray all = new AtomicLongArray(PLACES);
            for (int place = 0; place < PLACES; place++) {
                all.set(place, now);
            }
            times = all;
            begun = ticker.nanos(); // behind whoever has found that nothing is noted
        }
    }

    /** Returns whether everything that was written under the key was answered before this time. */
    boolean areBefore(long nanos, EncodedKey key) {
        AtomicLongArray noted = times;
        return noted != null && nanos - begun > 0 && nanos - noted.get(placeOf(key)) > 0;
    }

    private static int placeOf(EncodedKey key) {
        int hash = key.hashCode() * 0x9E37_79B9; // neighbours do not collide
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }

    private void note(EncodedKey key) {
        AtomicLongArray noted = times;
        if (noted != null) {
            noted.accumulateAndGet(placeOf(key), ticker.nanos(), (one, other) -> other - one > 0 ? other : one);
        }
    }

    @Override
    public void written(List<EncodedKey> keys) {
        if (times != null) {
            keys.forEach(this::note);
        }
    }

    /** Also what was done only after its answer was lost: it is found out before this is called. */
    @Override
    public void stored(EncodedKey key, Expiry expiry) {
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
