// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.event.SimpleEntry;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.time.CallBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * The application's cache writer, its failures in the form that JSR-107 asks for. Does nothing without write-through.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class WriteThrough<K, V> implements ChangeWriter<K, V> {
    private final @Nullable CacheWriter<? super K, ? super V> writer;

    public WriteThrough(@Nullable CacheWriter<? super K, ? super V> writer) {
        this.writer = writer;
    }

    @Override
    public boolean isOn() {
        return writer != null;
    }

    @Override
    public boolean isFirst() {
        return isOn();
    }

    @Override
    public Handover write(K key, V value, EncodedKey encoded, Envelope envelope, CallBudget budget) {
        if (writer == null) {
            return Handover.DONE;
        }
        try {
            writer.write(new SimpleEntry<>(key, value));
        } catch (RuntimeException e) {
            throw wrapped(e);
        }
        return Handover.DONE;
    }

    @Override
    public Handover delete(K key, EncodedKey encoded, CallBudget budget) {
        if (writer == null) {
            return Handover.DONE;
        }
        try {
            writer.delete(key);
        } catch (RuntimeException e) {
            throw wrapped(e);
        }
        return Handover.DONE;
    }

    @Override
    public Handovers<K> writeAll(Map<? extends K, ? extends V> map, CallBudget budget) {
        return writeAll(map);
    }

    @Override
    public Handovers<K> deleteAll(Set<? extends K> keys, CallBudget budget) {
        return deleteAll(keys);
    }

    /** Writes the entries; the keys of those that were written, and the failure if not all were. */
    Written<K> writeAll(Map<? extends K, ? extends V> map) {
        if (writer == null) {
            return new Written<>(new LinkedHashSet<>(map.keySet()), null);
        }
        List<Cache.Entry<? extends K, ? extends V>> entries = new ArrayList<>(map.size());
        map.forEach((key, value) -> entries.add(new SimpleEntry<>(key, value)));
        try {
            writeAll(writer, entries);
            return new Written<>(new LinkedHashSet<>(map.keySet()), null);
        } catch (RuntimeException e) {
            Set<K> done = new LinkedHashSet<>(map.keySet());
            entries.forEach(entry -> done.remove(entry.getKey()));
            return new Written<>(done, wrapped(e));
        }
    }

    @SuppressWarnings(
            "unchecked") // the writer's collection has lower bounds, which an invariant collection cannot meet
    private static <W, X> void writeAll(CacheWriter<W, X> writer, Collection<?> entries) {
        writer.writeAll((Collection<Cache.Entry<? extends W, ? extends X>>) entries);
    }

    /** Deletes the keys; those that were deleted, and the failure if not all were. */
    Written<K> deleteAll(Set<? extends K> keys) {
        if (writer == null) {
            return new Written<>(new LinkedHashSet<>(keys), null);
        }
        Set<K> open = new HashSet<>(keys);
        try {
            writer.deleteAll(open);
            return new Written<>(new LinkedHashSet<>(keys), null);
        } catch (RuntimeException e) {
            Set<K> done = new LinkedHashSet<>(keys);
            done.removeAll(open);
            return new Written<>(done, wrapped(e));
        }
    }

    private static CacheWriterException wrapped(RuntimeException failure) {
        return failure instanceof CacheWriterException already
                ? already
                : new CacheWriterException("The cache writer failed: " + failure, failure);
    }

    /**
     * What a writer did: it removes from the collection that it is given what it has done.
     *
     * @param done the keys that were written or deleted
     * @param failure why not all were, null if all were
     */
    record Written<K>(Set<K> done, @Nullable CacheWriterException failure) implements Handovers<K> {
        @Override
        public Set<K> keys() {
            return done;
        }

        @Override
        public Handover of(K key) {
            return Handover.DONE;
        }

        @Override
        public <T extends @Nullable Object> List<T> aroundAll(
                Supplier<List<T>> change, Function<T, @Nullable KeyslotException> problemOf) {
            return change.get();
        }

        @Override
        public void close() {}
    }
}
