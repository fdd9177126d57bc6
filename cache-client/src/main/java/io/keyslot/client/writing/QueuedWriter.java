// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
    public OutboxEntry reserve(EncodedKey key, CallBudget budget) {
        return reserveAll(List.of(key), budget);
    }

    @Override
    public OutboxEntry reserveAll(List<EncodedKey> all, CallBudget budget) {
        return new OutboxEntry(places(all, budget));
    }

    private QueuePlaces<EncodedKey, Envelope> places(List<EncodedKey> all, CallBudget budget) {
        return budget.spend(deadline -> behind.reserve(all, deadline));
    }

    @Override
    public int mostAtOnce() {
        return behind.mostPlaces();
    }

    @Override
    public void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {
        Envelope envelope = value == null ? null : coder.encode(value, 0);
        try (QueuePlaces<EncodedKey, Envelope> place = places(List.of(encoded), budget)) {
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
}
