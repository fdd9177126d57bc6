// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.slot.HashSlot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last values that this process stored in entries of all its caches by changes that depended on the previous value,
 * and on request when it last tried to change an entry of each hash slot. The tables have a fixed size. Reads are never
 * answered from them, as other processes may have written since. Thread-safe.
 */
public final class RecentWrites implements EntryChanges {
    static final int PLACES = 1 << 12;

    /** Larger entries (key and value) are not kept, so the table takes at most 4 MiB. */
    static final int MOST_BYTES = 1024;

    private static final long LONG_AGO = Duration.ofDays(1_000).toNanos();

    private final AtomicReferenceArray<@Nullable Write> writes = new AtomicReferenceArray<>(PLACES);

    private final Ticker ticker;
    private volatile @Nullable AtomicLongArray changed; // by hash slot; null until it is wanted

    public RecentWrites(Ticker ticker) {
        this.ticker = ticker;
    }

    private record Write(EncodedKey key, Envelope envelope) {}

    @Nullable
    public Envelope of(EncodedKey key) {
        Write write = writes.getAcquire(key.placeIn(PLACES));
        return write != null && write.key.equals(key) ? write.envelope : null;
    }

    public void keep(EncodedKey key, Envelope envelope) {
        if (key.length() + envelope.sizeBytes() <= MOST_BYTES) {
            writes.setRelease(key.placeIn(PLACES), new Write(key, envelope));
        }
    }

    public void forget(EncodedKey key) {
        if (of(key) != null) {
            writes.setRelease(key.placeIn(PLACES), null);
        }
    }

    public synchronized void recordTimes() {
        if (changed == null) {
            AtomicLongArray times = new AtomicLongArray(HashSlot.COUNT);
            setAll(times, ticker.nanos() - LONG_AGO);
            changed = times;
        }
    }

    private static void setAll(AtomicLongArray times, long nanos) {
        for (int slot = 0; slot < times.length(); slot++) {
            times.setRelease(slot, nanos);
        }
    }

    /** Returns whether this process has tried to change an entry of the hash slot of a key within this time. */
    public boolean isChangedWithin(Duration time, EncodedKey key) {
        AtomicLongArray times = changed;
        return times != null && ticker.nanos() - times.getAcquire(key.slot() % HashSlot.COUNT) <= time.toNanos();
    }

    @Override
    public void changing(EncodedKey key) {
        AtomicLongArray times = changed;
        if (times != null) {
            times.setRelease(key.slot() % HashSlot.COUNT, ticker.nanos());
        }
    }

    @Override
    public void clearing() {
        AtomicLongArray times = changed;
        if (times != null) {
            setAll(times, ticker.nanos());
        }
    }

    @Override
    public void stored(EncodedKey key, Expiry onCreation, Expiry onUpdate) {
        forget(key);
    }

    @Override
    public void removed(EncodedKey key) {
        forget(key);
    }
}
