// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearState;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The near entries of one near cache, with the rules for storing, serving and removing them. Thread-safe.
 *
 * <ul>
 *   <li>A key is {@linkplain #reserve reserved} before the read is sent. A change removes near entry and reservation:
 *       an own change when its reply arrives, another client's when the partition reports it.
 *   <li>A read value is kept only if its reservation still exists. So it is the newest, whatever the order of arrival.
 *   <li>A near entry is served only while the connection over which it was read is alive and has answered a request
 *       that was sent within {@code staleness}; while its slot has not moved; and before it expires.
 * </ul>
 */
final class NearEntries {
    /** The approximate size of a near entry besides its value: map node, key and fields. */
    static final int OVERHEAD_BYTES = 200;

    /** A bit mask that samples one hit of 64 for its age, by the current time. */
    static final long SAMPLED = 63;

    /** The number of recent ends that are kept for explanations. A power of two. */
    private static final int ENDS = 1 << 10;

    private record End(Object key, NearEnd cause, long nanos) {}

    private final Function<EncodedKey, @Nullable Object> placeOf;
    private final Cache<Object, Object> places; // Reservation or NearEntry
    private final ConcurrentMap<Object, Object> map;
    private final long staleness;
    private final long whenMissing;
    private final Supplier<NearSlots> slots;
    private final Ticker ticker;
    private final CacheTelemetry telemetry;
    private final AtomicReferenceArray<@Nullable End> ends = new AtomicReferenceArray<>(ENDS);

    /**
     * A reservation for a near entry that is being read over a connection. Changes and invalidations remove it; so as
     * long as it exists, a value read after it was made is the newest. Only the read that made it may fill it. The
     * version is that of the slot map.
     */
    static final class Reservation {
        final Object place;
        final TrackedConnection link;
        final int slot;
        final long version;

        Reservation(Object place, TrackedConnection link, int slot, long version) {
            this.place = place;
            this.link = link;
            this.slot = slot;
            this.version = version;
        }

        /** Returns whether a read for the other reservation could be stored here as well. */
        private boolean isFor(Reservation other) {
            return link.equals(other.link) && slot == other.slot && version == other.version;
        }
    }

    /**
     * Creates near entries.
     *
     * @param placeOf returns the form of a stored key under which its near entry is kept, null for a foreign key
     */
    NearEntries(
            NearOptions options,
            Function<EncodedKey, @Nullable Object> placeOf,
            Supplier<NearSlots> slots,
            Ticker ticker,
            CacheTelemetry telemetry) {
        this.placeOf = placeOf;
        this.places = placesOf(options);
        this.map = places.asMap();
        this.staleness = options.staleness().toNanos();
        this.whenMissing = options.whenMissing().toNanos();
        this.slots = slots;
        this.ticker = ticker;
        this.telemetry = telemetry;
    }

    private Cache<Object, Object> placesOf(NearOptions options) {
        Caffeine<Object, Object> builder =
                Caffeine.newBuilder().executor(Runnable::run).evictionListener(this::evicted);
        Long entries = options.maximumEntries();
        Long size = options.maximumSize();
        return entries != null
                ? builder.maximumSize(entries).build()
                : builder.maximumWeight(size == null ? 0 : size)
                        .weigher(NearEntries::weight)
                        .build();
    }

    private void evicted(@Nullable Object key, @Nullable Object place, RemovalCause cause) {
        if (key != null && place instanceof NearEntry) {
            ended(key, NearEnd.EVICTED);
        }
    }

    private void ended(Object key, NearEnd cause) {
        ends.set(placeIn(key), new End(key, cause, ticker.nanos()));
        telemetry.onNearEnded(cause, 1);
    }

    private static int weight(Object key, Object place) {
        int bytes = place instanceof NearEntry copy ? copy.bytes() : 0;
        return (int) Math.min(Integer.MAX_VALUE, (long) bytes + OVERHEAD_BYTES);
    }

    /** Returns the near entry of a key if it may be served now. */
    @Nullable
    NearEntry find(Object key) {
        NearEntry copy = copyOf(places.getIfPresent(key));
        if (copy == null) {
            return null;
        }
        TrackedConnection link = copy.link();
        link.want();
        long now = ticker.nanos();
        if (copy.isServed(now, staleness, slots.get())) {
            if ((now & SAMPLED) == 0) {
                telemetry.onNearServed(now - link.confirmedAt());
            }
            return copy;
        }
        return null;
    }

    /** Like {@link #find} for a missing partition. */
    @Nullable
    NearEntry findMissing(Object key) {
        if (whenMissing == 0) {
            return null;
        }
        NearEntry copy = copyOf(places.getIfPresent(key));
        return copy != null && copy.isServedMissing(ticker.nanos(), whenMissing, slots.get()) ? copy : null;
    }

    private static @Nullable NearEntry copyOf(@Nullable Object place) {
        return place instanceof NearEntry copy ? copy : null;
    }

    /** Reserves a key for a read; returns null if it is a foreign key, or another thread was faster. */
    @Nullable
    Reservation reserve(EncodedKey key, TrackedConnection link, int slot, long version) {
        Object place = placeOf.apply(key);
        return place == null ? null : reserve(new Reservation(place, link, slot, version));
    }

    @Nullable
    Reservation reserve(Reservation wanted) {
        Object present = map.putIfAbsent(wanted.place, wanted);
        if (present == null) {
            return wanted;
        }
        if (present instanceof Reservation reserved && reserved.isFor(wanted)) {
            return reserved; // made before this read is sent, as required
        }
        return map.replace(wanted.place, present, wanted) ? wanted : null;
    }

    void fill(Reservation reservation, long sentAt, TrackedLookup found) {
        Envelope envelope = found.lookup().envelope();
        long lifetime = envelope == null || envelope.isReserved() ? 0 : lifetimeOf(envelope, found.millisLeft());
        if (envelope == null || lifetime <= 0) {
            release(reservation);
            return;
        }
        map.replace(reservation.place, reservation, new NearEntry(reservation, envelope, sentAt, lifetime));
    }

    private long lifetimeOf(Envelope envelope, long millisLeft) {
        long lifetime = nanosOf(millisLeft);
        long freshUntil = envelope.freshUntilMillis();
        if (freshUntil == 0) {
            return lifetime;
        }
        return Math.min(lifetime, nanosOf(freshUntil - ticker.epochMillis())); // counted from the sending: ends early
    }

    private static long nanosOf(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis); // saturates at the largest number
    }

    void release(Reservation reservation) {
        map.remove(reservation.place, reservation);
    }

    void kill(List<EncodedKey> keys, NearEnd cause) {
        for (EncodedKey stored : keys) {
            Object key = placeOf.apply(stored);
            Object gone = key == null ? null : map.remove(key);
            if (key != null && gone instanceof NearEntry) {
                ended(key, cause);
            }
        }
    }

    void kill(Object key, NearEntry copy, NearEnd cause) {
        if (map.remove(key, copy)) {
            ended(key, cause);
        }
    }

    void killAll(NearEnd cause) {
        long copies = places.estimatedSize();
        places.invalidateAll();
        telemetry.onNearEnded(cause, copies);
    }

    Iterator<Map.Entry<Object, Object>> all() {
        return map.entrySet().iterator();
    }

    /** Removes an entry that will never be served again. */
    void tidy(Map.Entry<Object, Object> entry) {
        NearEntry copy = copyOf(entry.getValue());
        if (copy == null) {
            return;
        }
        NearEnd end = copy.end(ticker.nanos(), whenMissing, slots.get());
        if (end != null) {
            kill(entry.getKey(), copy, end);
        }
    }

    /** Returns how long near entries of a lost connection are kept, in nanoseconds. */
    long whenMissing() {
        return whenMissing;
    }

    long staleness() {
        return staleness;
    }

    NearState explain(Object key) {
        NearEntry copy = copyOf(map.get(key));
        End last = ends.get(placeIn(key));
        End end = last != null && last.key().equals(key) ? last : null;
        boolean isServed = copy != null && find(key) != null;
        long now = ticker.nanos();
        return new NearState(
                isServed,
                copy == null ? null : Duration.ofNanos(now - copy.readAt()),
                copy == null ? null : Duration.ofNanos(now - copy.link().confirmedAt()),
                end == null ? null : end.cause(),
                end == null ? null : Duration.ofNanos(now - end.nanos()));
    }

    long entries() {
        return places.estimatedSize();
    }

    long bytes() {
        return places.policy()
                .eviction()
                .flatMap(bound -> bound.weightedSize().stream().boxed().findFirst())
                .orElseGet(() -> {
                    long bytes = 0;
                    for (Map.Entry<Object, Object> entry : map.entrySet()) {
                        bytes += weight(entry.getKey(), entry.getValue());
                    }
                    return bytes;
                });
    }

    private static int placeIn(Object key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (ENDS - 1);
    }
}
