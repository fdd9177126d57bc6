// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.client.cache.ChangeQueue.PendingChange;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.cache.CacheException;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * Queues changes for the application's writer.
 * <ul>
 * <li>A change takes its place in the queue before the cache is changed. It is queued if the cache was changed, or may
 * have been: the database is the authority, and an uncertain entry is deleted after the write. It is not queued if the
 * cache refused it.
 * <li>Changing an entry and queueing the change is one step for all other calls and loads of this process. So the cache
 * and the database receive the changes of a key in the same order.
 * <li>Keys and values are kept in their stored, immutable form, which needs no second copy.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class QueuedWriter<K, V> implements ChangeWriter<K, V> {
    private final KeyCodec<K> keys;
    private final ValueCoder<V> coder;
    private final WriteBehind<EncodedKey, Envelope> behind;

    /**
     * Creates a queue in front of a writer. {@code keeping} removes entries that differ from what was written, and
     * {@code forgetting} removes outdated ones.
     */
    public QueuedWriter(
            String cacheName,
            WriteBehindOptions options,
            WriteThrough<K, V> writer,
            KeyCodec<K> keys,
            ValueCoder<V> coder,
            Consumer<Map<EncodedKey, Optional<Envelope>>> keeping,
            Consumer<List<EncodedKey>> forgetting,
            Executor pool,
            Waiter waiter,
            Timing timing) {
        this.keys = keys;
        this.coder = coder;
        this.behind = new WriteBehind<>(
                cacheName,
                options,
                new DecodingWriter<>(writer, keys, coder, keeping, forgetting),
                pool,
                waiter,
                timing);
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public OutboxEntry<EncodedKey, Envelope> reserve(EncodedKey key, CallBudget budget) {
        return reserveAll(List.of(key), budget);
    }

    @Override
    public OutboxEntry<EncodedKey, Envelope> reserveAll(List<EncodedKey> all, CallBudget budget) {
        return budget.spend(deadline -> behind.reserve(all, deadline));
    }

    @Override
    public int mostAtOnce() {
        return behind.mostPlaces();
    }

    @Override
    public void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {
        Envelope envelope = value == null ? null : coder.encode(value, 0);
        try (OutboxEntry<EncodedKey, Envelope> place = reserve(encoded, budget)) {
            place.fillUnsure(encoded, new PendingChange<>(envelope));
        }
    }

    @Override
    public @Nullable CacheLoader<K, V> aware(@Nullable CacheLoader<K, V> loader) {
        return loader == null ? null : new PendingFirst<>(loader, this::pending);
    }

    @Override
    public void awaitChanges(Collection<? extends K> wanted) {
        List<EncodedKey> encoded = new ArrayList<>(wanted.size());
        wanted.forEach(key -> encoded.add(keys.encode(key)));
        behind.awaitChanges(encoded);
    }

    private Optional<PendingChange<V>> pending(K key) {
        return behind.pending(keys.encode(key)).map(this::decoded);
    }

    private PendingChange<V> decoded(PendingChange<Envelope> change) {
        Envelope envelope = change.value();
        return new PendingChange<>(
                envelope == null ? null : coder.decode(envelope).orElse(null));
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
    public void show(CacheTelemetry telemetry) {
        behind.show(telemetry);
    }

    /** Passes queued changes to the application's writer, decoded. */
    private record DecodingWriter<K, V>(
            WriteThrough<K, V> writer,
            KeyCodec<K> keys,
            ValueCoder<V> coder,
            Consumer<Map<EncodedKey, Optional<Envelope>>> keeping,
            Consumer<List<EncodedKey>> forgetting)
            implements BatchWriter<EncodedKey, Envelope> {

        @Override
        public BatchWriter.Outcome<EncodedKey> writeAll(Map<EncodedKey, Envelope> values) {
            Map<K, V> decoded = new LinkedHashMap<>();
            values.forEach((key, envelope) -> decoded.put(keys.decode(key), valueOf(envelope)));
            return outcome(values.keySet(), writer.writeAll(decoded));
        }

        private V valueOf(Envelope envelope) {
            return coder.decode(envelope)
                    .orElseThrow(() -> new CacheException("The codec cannot read a value that it wrote itself"));
        }

        @Override
        public BatchWriter.Outcome<EncodedKey> deleteAll(Set<EncodedKey> wanted) {
            Set<K> decoded = new LinkedHashSet<>();
            wanted.forEach(key -> decoded.add(keys.decode(key)));
            return outcome(wanted, writer.deleteAll(decoded));
        }

        @Override
        public void written(Map<EncodedKey, Optional<Envelope>> changes) {
            keeping.accept(changes);
        }

        @Override
        public void outdated(Set<EncodedKey> outdated) {
            forgetting.accept(List.copyOf(outdated));
        }

        private BatchWriter.Outcome<EncodedKey> outcome(Set<EncodedKey> all, WriteThrough.Written<K> written) {
            Set<EncodedKey> failed = new LinkedHashSet<>(all);
            written.done().forEach(key -> failed.remove(keys.encode(key)));
            return new BatchWriter.Outcome<>(failed, written.failure());
        }
    }

    /**
     * A cache loader that prefers a pending change of this process to the loaded value. It checks again after loading, as a
     * change may have been faster. Thread-safe if the application's loader is.
     */
    private record PendingFirst<K, V>(CacheLoader<K, V> loader, Function<K, Optional<PendingChange<V>>> pending)
            implements CacheLoader<K, V> {

        @Override
        @SuppressWarnings("NullAway") // JSR-107: null for a key without a value
        public V load(K key) {
            Optional<PendingChange<V>> before = pending.apply(key);
            if (before.isPresent()) {
                return before.get().value();
            }
            V loaded = loader.load(key);
            Optional<PendingChange<V>> since = pending.apply(key);
            return since.isPresent() ? since.get().value() : loaded;
        }

        @Override
        public Map<K, V> loadAll(Iterable<? extends K> keys) {
            Set<K> unknown = new LinkedHashSet<>();
            keys.forEach(key -> {
                if (pending.apply(key).isEmpty()) {
                    unknown.add(key);
                }
            });
            Map<K, V> loaded = unknown.isEmpty() ? null : loader.loadAll(unknown);
            Map<K, V> known = loaded == null ? new LinkedHashMap<>() : new LinkedHashMap<>(loaded);
            keys.forEach(key -> pending.apply(key).ifPresent(change -> {
                // removes the key if the change is a delete
                known.compute(key, (same, before) -> change.value());
            }));
            return known;
        }
    }
}
