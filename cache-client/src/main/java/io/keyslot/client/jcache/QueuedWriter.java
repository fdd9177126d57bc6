// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.client.entry.CallBudget;
import io.keyslot.client.entry.KeyQueues;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.writebehind.Change;
import io.keyslot.client.writebehind.Places;
import io.keyslot.client.writebehind.WriteBehind;
import io.keyslot.client.writebehind.WriteBehindCounts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 *   <li>The threads of this process change an entry and queue the change one after the other, so that cache and database
 *       get the changes of a single key in the same order. Bulk operations of other threads may come in between.
 *   <li>Keys and values are kept as they are stored: nobody can change them any more, and it costs no second copy.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
final class QueuedWriter<K, V> implements ChangeWriter<K, V> {
    private final KeyCodec<K> keys;
    private final ValueCoder<V> coder;
    private final KeyQueues queues;
    private final WriteBehind<EncodedKey, Envelope> behind;

    QueuedWriter(KeyCodec<K> keys, ValueCoder<V> coder, KeyQueues queues, WriteBehind<EncodedKey, Envelope> behind) {
        this.keys = keys;
        this.coder = coder;
        this.queues = queues;
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
        return new Queued(encoded, Change.put(envelope), budget);
    }

    @Override
    public Handover delete(K key, EncodedKey encoded, CallBudget budget) {
        return new Queued(encoded, Change.delete(), budget);
    }

    @Override
    public Handovers<K> writeAll(Map<? extends K, ? extends V> map, CallBudget budget) {
        Map<K, Change<Envelope>> changes = new LinkedHashMap<>();
        map.forEach((key, value) -> changes.put(key, Change.put(coder.encode(value, 0))));
        return new QueuedAll(changes, budget);
    }

    @Override
    public Handovers<K> deleteAll(Set<? extends K> wanted, CallBudget budget) {
        Map<K, Change<Envelope>> changes = new LinkedHashMap<>();
        wanted.forEach(key -> changes.put(key, Change.delete()));
        return new QueuedAll(changes, budget);
    }

    @Override
    public void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {
        Change<Envelope> change = value == null ? Change.delete() : Change.put(coder.encode(value, 0));
        try (Places<EncodedKey, Envelope> place = reserve(List.of(encoded), budget)) {
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

    private Optional<PendingFirst.Known<V>> pending(K key) {
        return behind.pending(keys.encode(key)).map(change -> new PendingFirst.Known<>(valueOf(change)));
    }

    private @Nullable V valueOf(Change<Envelope> change) {
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

    private Places<EncodedKey, Envelope> reserve(List<EncodedKey> encoded, CallBudget budget) {
        return budget.spend(deadline -> behind.reserve(encoded, deadline));
    }

    /** One change, queued while it is this thread's turn to change the entry. */
    private final class Queued implements Handover {
        private final EncodedKey key;
        private final Change<Envelope> queued;
        private final CallBudget budget;

        Queued(EncodedKey key, Change<Envelope> queued, CallBudget budget) {
            this.key = key;
            this.queued = queued;
            this.budget = budget;
        }

        @Override
        public <T> T around(Supplier<T> change, Predicate<T> isApplied) {
            try (Places<EncodedKey, Envelope> place = reserve(List.of(key), budget)) {
                return queues.inTurn(key, () -> change(place, change, isApplied));
            }
        }

        private <T> T change(Places<EncodedKey, Envelope> place, Supplier<T> change, Predicate<T> isApplied) {
            try {
                T result = change.get();
                if (isApplied.test(result)) {
                    place.fill(key, queued);
                }
                return result;
            } catch (OutcomeUnknownException e) {
                place.fillUnsure(key, queued);
                throw e;
            }
        }
    }

    /** The changes of a bulk operation. */
    private final class QueuedAll implements Handovers<K> {
        private final Map<K, Change<Envelope>> changes;
        private final Places<EncodedKey, Envelope> places;

        QueuedAll(Map<K, Change<Envelope>> changes, CallBudget budget) {
            this.changes = changes;
            this.places = reserve(changes.keySet().stream().map(keys::encode).toList(), budget);
        }

        @Override
        public Set<K> keys() {
            return changes.keySet();
        }

        @Override
        public void settle(K key, @Nullable KeyslotException failure) {
            Change<Envelope> change = changes.get(key);
            if (change != null && failure == null) {
                places.fill(keys.encode(key), change);
            } else if (change != null && failure instanceof OutcomeUnknownException) {
                places.fillUnsure(keys.encode(key), change);
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
}
