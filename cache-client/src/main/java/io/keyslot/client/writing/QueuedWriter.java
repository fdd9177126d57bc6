// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.statistics.WriteBehindCounts;
import io.keyslot.client.time.CallBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * Queues changes for the application's writer.
 *
 * <ul>
 *   <li>A change has its place in the queue before the cache is changed. It is queued if the cache was changed, or may have
 *       been: the database is the authority, and the cache's copy is deleted once the writer has done its part. It is not
 *       queued if the cache refused it.
 *   <li>The change of an entry and its place in the queue are one step to all others of this process, to single and bulk
 *       calls and to loads. So cache and database get the changes of a key in the same order.
 *   <li>Keys and values are kept as they are stored: nobody can change them any more, and it costs no second copy.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public final class QueuedWriter<K, V> implements ChangeWriter<K, V> {
    private final KeyCodec<K> keys;
    private final ValueCoder<V> coder;
    private final WriteBehind<EncodedKey, Envelope> behind;

    public QueuedWriter(KeyCodec<K> keys, ValueCoder<V> coder, WriteBehind<EncodedKey, Envelope> behind) {
        this.keys = keys;
        this.coder = coder;
        this.behind = behind;
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public boolean isFirst() {
        return false;
    }

    @Override
    public Handover write(K key, V value, EncodedKey encoded, Envelope envelope, CallBudget budget) {
        return new Queued(encoded, PendingChange.put(envelope), budget);
    }

    @Override
    public Handover delete(K key, EncodedKey encoded, CallBudget budget) {
        return new Queued(encoded, PendingChange.delete(), budget);
    }

    @Override
    public Handovers<K> writeAll(Map<? extends K, ? extends V> map, CallBudget budget) {
        Map<K, PendingChange<Envelope>> changes = new LinkedHashMap<>();
        map.forEach((key, value) -> changes.put(key, PendingChange.put(coder.encode(value, 0))));
        return new QueuedAll(changes, budget);
    }

    @Override
    public Handovers<K> deleteAll(Set<? extends K> wanted, CallBudget budget) {
        Map<K, PendingChange<Envelope>> changes = new LinkedHashMap<>();
        wanted.forEach(key -> changes.put(key, PendingChange.delete()));
        return new QueuedAll(changes, budget);
    }

    @Override
    public void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {
        PendingChange<Envelope> change =
                value == null ? PendingChange.delete() : PendingChange.put(coder.encode(value, 0));
        try (QueuePlaces<EncodedKey, Envelope> place = reserve(List.of(encoded), budget)) {
            place.fillUnsure(encoded, change);
        }
    }

    @Override
    public int mostAtOnce() {
        return behind.mostPlaces();
    }

    @Override
    public @Nullable CacheLoader<K, V> aware(@Nullable CacheLoader<K, V> loader) {
        return loader == null ? null : new PendingFirst<>(loader, this::pending);
    }

    @Override
    public void awaitChanges(Collection<? extends K> wanted) {
        behind.awaitChanges(encoded(wanted));
    }

    private List<EncodedKey> encoded(Collection<? extends K> wanted) {
        List<EncodedKey> encoded = new ArrayList<>(wanted.size());
        wanted.forEach(key -> encoded.add(keys.encode(key)));
        return encoded;
    }

    private Optional<PendingFirst.Known<V>> pending(K key) {
        return behind.pending(keys.encode(key)).map(change -> new PendingFirst.Known<>(valueOf(change)));
    }

    private @Nullable V valueOf(PendingChange<Envelope> change) {
        Envelope envelope = change.value();
        return envelope == null ? null : coder.decode(envelope).orElse(null);
    }

    @Override
    public boolean flush(Duration atMost) {
        return behind.flush(atMost);
    }

    @Override
    public void beginClose() {
        behind.beginClose();
    }

    @Override
    public void close() {
        behind.close();
    }

    @Override
    public Optional<WriteBehindCounts> counts() {
        return Optional.of(behind);
    }

    private QueuePlaces<EncodedKey, Envelope> reserve(List<EncodedKey> encoded, CallBudget budget) {
        return budget.spend(deadline -> behind.reserve(encoded, deadline));
    }

    /** Changes the cache, and fills the place if that was done, or may have been; in turn with others. */
    private static <T> T change(
            QueuePlaces<EncodedKey, Envelope> places,
            EncodedKey key,
            PendingChange<Envelope> queued,
            Supplier<T> change,
            Predicate<T> isApplied) {
        return places.inTurn(List.of(key), () -> {
            try {
                T result = change.get();
                if (isApplied.test(result)) {
                    places.fill(key, queued);
                }
                return result;
            } catch (OutcomeUnknownException e) {
                places.fillUnsure(key, queued);
                throw e;
            }
        });
    }

    /** One change. */
    private final class Queued implements Handover {
        private final EncodedKey key;
        private final PendingChange<Envelope> queued;
        private final CallBudget budget;

        Queued(EncodedKey key, PendingChange<Envelope> queued, CallBudget budget) {
            this.key = key;
            this.queued = queued;
            this.budget = budget;
        }

        @Override
        public <T> T around(Supplier<T> change, Predicate<T> isApplied) {
            try (QueuePlaces<EncodedKey, Envelope> place = reserve(List.of(key), budget)) {
                return change(place, key, queued, change, isApplied);
            }
        }
    }

    /** The changes of a bulk operation. */
    private final class QueuedAll implements Handovers<K> {
        private final Map<K, PendingChange<Envelope>> changes;
        private final QueuePlaces<EncodedKey, Envelope> places;

        QueuedAll(Map<K, PendingChange<Envelope>> changes, CallBudget budget) {
            this.changes = changes;
            this.places = reserve(encoded(changes.keySet()), budget);
        }

        @Override
        public Set<K> keys() {
            return changes.keySet();
        }

        @Override
        public Handover of(K key) {
            return new OneOfAll(keys.encode(key), Objects.requireNonNull(changes.get(key)), places);
        }

        @Override
        public <T extends @Nullable Object> List<T> aroundAll(
                Supplier<List<T>> change, Function<T, @Nullable KeyslotException> problemOf) {
            List<EncodedKey> all = encoded(changes.keySet());
            return places.inTurn(all, () -> {
                List<T> results = change.get();
                Iterator<PendingChange<Envelope>> queued = changes.values().iterator();
                for (int i = 0; i < all.size(); i++) {
                    settle(all.get(i), queued.next(), problemOf.apply(results.get(i)));
                }
                return results;
            });
        }

        private void settle(EncodedKey key, PendingChange<Envelope> queued, @Nullable KeyslotException problem) {
            if (problem == null) {
                places.fill(key, queued);
            } else if (problem instanceof OutcomeUnknownException) {
                places.fillUnsure(key, queued);
            }
        }

        @Override
        public void close() {
            places.close();
        }

        /** Returns null: who gets no places is told at once. */
        @Override
        public @Nullable CacheWriterException failure() {
            return null;
        }
    }

    /** One of the changes of a bulk operation, which has its place already. */
    private record OneOfAll(EncodedKey key, PendingChange<Envelope> queued, QueuePlaces<EncodedKey, Envelope> places)
            implements Handover {
        @Override
        public <T> T around(Supplier<T> change, Predicate<T> isApplied) {
            return QueuedWriter.change(places, key, queued, change, isApplied);
        }
    }
}
