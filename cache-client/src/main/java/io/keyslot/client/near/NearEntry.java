// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.client.stored.Envelope;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** An entry that this process keeps, with the conditions for serving it. Thread-safe. */
final class NearEntry {
    private static final AtomicReferenceFieldUpdater<NearEntry, Object> CONTENT =
            AtomicReferenceFieldUpdater.newUpdater(NearEntry.class, Object.class, "content");

    private final TrackedConnection link;
    private final int slot;
    private final long version;
    private final long readAt;
    private final long lifeNanos;
    private final int bytes;

    /** The {@link Envelope}, or the value once it is shared. */
    private volatile Object content;

    /**
     * Creates a near entry that may be served for {@code lifeNanos} (or {@code Long.MAX_VALUE}) after its read was
     * sent.
     */
    NearEntry(NearEntries.Reservation place, Envelope envelope, long readAt, long lifeNanos) {
        this.link = place.link;
        this.slot = place.slot;
        this.version = place.version;
        this.readAt = readAt;
        this.lifeNanos = lifeNanos;
        this.bytes = envelope.sizeBytes();
        this.content = envelope;
    }

    /** Returns whether it may be served: it is recent enough, has not expired, and its slot has not moved. */
    boolean isServed(long now, long staleness, NearSlots slots) {
        return link.isWithin(now, staleness) && isStill(now, slots);
    }

    /** Like {@link #isServed} for a missing partition. */
    boolean isServedMissing(long now, long bound, NearSlots slots) {
        return link.isLostWithin(now, bound) && isStill(now, slots);
    }

    private boolean isStill(long now, NearSlots slots) {
        return now - readAt < lifeNanos && slots.isStill(slot, version);
    }

    /** Returns why it will never be served again, null if it may be. */
    @Nullable
    NearEnd end(long now, long bound, NearSlots slots) {
        if (!link.isAlive() && !link.isLostWithin(now, bound)) {
            return link.end();
        }
        if (!slots.isStill(slot, version)) {
            return NearEnd.MAP_CHANGED;
        }
        return now - readAt < lifeNanos ? null : NearEnd.EXPIRED;
    }

    TrackedConnection link() {
        return link;
    }

    long readAt() {
        return readAt;
    }

    int bytes() {
        return bytes;
    }

    Object content() {
        return content;
    }

    /** Shares a decoded value among all readers; returns the shared one. */
    Object share(Envelope envelope, Object value) {
        CONTENT.compareAndSet(this, envelope, value);
        return content;
    }
}
