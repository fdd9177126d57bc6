// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.client.stored.Envelope;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an entry, with what has to be so for it to be served. Safe for use by several threads.
 */
public final class NearEntry {
    private static final AtomicReferenceFieldUpdater<NearEntry, Object> CONTENT =
            AtomicReferenceFieldUpdater.newUpdater(NearEntry.class, Object.class, "content");

    private final TrackedConnection link;
    private final int slot;
    private final long version;
    private final long readAt;
    private final long lifeNanos;
    private final long stamp;
    private final long freshUntil;
    private final int bytes;

    /** The {@link Envelope}, or the value itself once it is shared. */
    private volatile Object content;

    /**
     * Creates a copy.
     *
     * @param readAt when the read was sent
     * @param lifeNanos how long from then on it may be served, {@code Long.MAX_VALUE} without an end
     */
    NearEntry(NearReservation place, Envelope envelope, long readAt, long lifeNanos) {
        this.link = place.link();
        this.slot = place.slot();
        this.version = place.version();
        this.readAt = readAt;
        this.lifeNanos = lifeNanos;
        this.stamp = envelope.stamp();
        this.freshUntil = envelope.freshUntilMillis();
        this.bytes = envelope.sizeBytes();
        this.content = envelope;
    }

    /** Returns whether it may be served: it is not older than that, has not expired, and its slot is where it was. */
    boolean isServed(long now, long staleness, NearSlots slots) {
        return link.isWithin(now, staleness) && isStill(now, slots);
    }

    /** As {@link #isServed}, of one whose partition cannot be asked. */
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

    /** Returns the bytes of the entry as it is stored. */
    int bytes() {
        return bytes;
    }

    Object content() {
        return content;
    }

    /** Lets all have the same value from now on; returns the one that they have. */
    Object share(Envelope envelope, Object value) {
        CONTENT.compareAndSet(this, envelope, value);
        return content;
    }

    /** Returns the stamp of the entry. */
    public long stamp() {
        return stamp;
    }

    /** Returns until when the entry is fresh, in milliseconds since 1970; 0 for as long as it is there. */
    public long freshUntil() {
        return freshUntil;
    }
}
