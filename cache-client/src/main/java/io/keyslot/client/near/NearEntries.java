// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearState;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.NearObserver;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.stored.Envelope;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one near cache, and the rules by which one comes, is served and goes. Safe for use by several threads.
 *
 * <ul>
 *   <li>The place of a copy is {@linkplain #reserve reserved} before the read is sent. A change takes away copy and reservation:
 *       one of this process when its reply is there, one of others when the partition tells of it.
 *   <li>What was read is kept only if the reservation is still there. So it is the newest, whoever was faster.
 *   <li>A copy is served only while the link is alive over which it was read; while something was heard over it that was sent
 *       within {@code staleness}; while its slot is where it was; and before the entry expires.
 * </ul>
 */
final class NearEntries {
    /** About what a copy costs besides its bytes: the map's node, the key, and what is known of it. */
    static final int OVERHEAD_BYTES = 200;

    private final Cache<Object, Object> places; // NearReservation or NearCopy
    private final ConcurrentMap<Object, Object> map;
    private final long staleness;
    private final long whenMissing;
    private final Supplier<NearSlots> slots;
    private final Ticker ticker;
    private final NearObserver observer;
    private final NearEnds ends = new NearEnds();

    NearEntries(NearOptions options, Supplier<NearSlots> slots, Ticker ticker, NearObserver observer) {
        this.places = placesOf(options);
        this.map = places.asMap();
        this.staleness = options.staleness().toNanos();
        this.whenMissing = options.whenMissing().toNanos();
        this.slots = slots;
        this.ticker = ticker;
        this.observer = observer;
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
        ends.note(key, cause, ticker.nanos());
        observer.onEnded(cause, 1);
    }

    private static int weight(Object key, Object place) {
        int bytes = place instanceof NearEntry copy ? copy.bytes() : 0;
        return (int) Math.min(Integer.MAX_VALUE, (long) bytes + OVERHEAD_BYTES);
    }

    /** Returns the copy under a key if it may be served now. */
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
            if ((now & NearCounters.SAMPLED) == 0) {
                observer.onServed(now - link.heard());
            }
            return copy;
        }
        return null;
    }

    /** As {@link #find}, where the partition is missing. */
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

    /** Reserves a place for what is about to be read; returns whose it is, null if somebody was faster. */
    @Nullable
    NearReservation reserve(Object key, NearReservation wanted) {
        Object present = map.putIfAbsent(key, wanted);
        if (present == null) {
            return wanted;
        }
        if (present instanceof NearReservation reserved && reserved.isFor(wanted)) {
            return reserved; // made before this read is sent, as it has to be
        }
        return map.replace(key, present, wanted) ? wanted : null;
    }

    /** Keeps what was found, unless its reservation is gone. */
    void fill(Object key, NearReservation reservation, long sentAt, TrackedLookup found) {
        Envelope envelope = found.lookup().envelope();
        long life = envelope == null || envelope.isReserved() ? 0 : lifeOf(envelope, found.millisLeft());
        if (envelope == null || life <= 0) {
            release(key, reservation);
            return;
        }
        map.replace(key, reservation, new NearEntry(reservation, envelope, sentAt, life));
    }

    private long lifeOf(Envelope envelope, long millisLeft) {
        long life = nanosOf(millisLeft);
        long freshUntil = envelope.freshUntilMillis();
        if (freshUntil == 0) {
            return life;
        }
        return Math.min(life, nanosOf(freshUntil - ticker.epochMillis())); // counted from the sending: over earlier
    }

    private static long nanosOf(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis); // the largest number stays it
    }

    /** Gives a reservation back that is not filled. */
    void release(Object key, NearReservation reservation) {
        map.remove(key, reservation);
    }

    /** Takes copy and reservation away. */
    void kill(Object key, NearEnd cause) {
        Object gone = map.remove(key);
        if (gone instanceof NearEntry) {
            ended(key, cause);
        }
    }

    /** Takes away one copy, if it is still there. */
    void kill(Object key, NearEntry copy, NearEnd cause) {
        if (map.remove(key, copy)) {
            ended(key, cause);
        }
    }

    /** Takes away all there are. */
    void killAll(NearEnd cause) {
        long copies = places.estimatedSize();
        places.invalidateAll();
        observer.onEnded(cause, copies);
    }

    /** Returns what goes through all places, and takes away so many at a time that are never served again. */
    Iterator<Map.Entry<Object, Object>> all() {
        return map.entrySet().iterator();
    }

    /** Takes away what is under a key if it is never served again. */
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

    /** Returns how long copies are kept whose link is lost, in nanoseconds. */
    long whenMissing() {
        return whenMissing;
    }

    long staleness() {
        return staleness;
    }

    NearState explain(Object key) {
        NearEntry copy = copyOf(map.get(key));
        NearEnds.Note end = ends.of(key);
        return NearExplaining.state(copy, copy != null && find(key) != null, end, ticker.nanos());
    }

    long entries() {
        return places.estimatedSize();
    }

    /** Returns about how many bytes they take. */
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
}
