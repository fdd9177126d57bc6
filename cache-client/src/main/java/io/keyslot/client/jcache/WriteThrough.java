// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** The application's cache writer, if there is one. Its exceptions are wrapped as JSR-107 requires. */
record WriteThrough<K, V>(@Nullable CacheWriter<? super K, ? super V> writer) implements ChangeWriter<K, V> {
    @Override
    public boolean isOn() {
        return writer != null;
    }

    @Override
    public @Nullable WriteThrough<K, V> first() {
        return isOn() ? this : null;
    }

    /**
     * Writes an entry, or deletes it if {@code value} is null; throws {@link CacheWriterException} if the writer fails.
     */
    void write(K key, @Nullable V value) {
        if (writer == null) {
            return;
        }
        try {
            if (value == null) {
                writer.delete(key);
            } else {
                writer.write(new WrittenEntry<>(key, value));
            }
        } catch (RuntimeException e) {
            throw wrapped(e);
        }
    }

    Written<K> writeAll(Map<? extends K, ? extends V> map) {
        List<Cache.Entry<? extends K, ? extends V>> entries = new ArrayList<>(map.size());
        map.forEach((key, value) -> entries.add(new WrittenEntry<>(key, value)));
        try {
            if (writer != null) {
                writeAll(writer, entries);
            }
            return new Written<>(new LinkedHashSet<>(map.keySet()), null);
        } catch (RuntimeException e) {
            return failed(map.keySet(), entries.stream().map(Cache.Entry::getKey), e);
        }
    }

    @SuppressWarnings("unchecked") // the collection's lower bounds cannot be expressed otherwise
    private static <W, X> void writeAll(CacheWriter<W, X> writer, Collection<?> entries) {
        writer.writeAll((Collection<Cache.Entry<? extends W, ? extends X>>) entries);
    }

    Written<K> deleteAll(Set<? extends K> keys) {
        Set<K> open = new HashSet<>(keys);
        try {
            if (writer != null) {
                writer.deleteAll(open);
            }
            return new Written<>(new LinkedHashSet<>(keys), null);
        } catch (RuntimeException e) {
            return failed(keys, open.stream(), e);
        }
    }

    /** The writer has not done what it has left in its collection, {@code open}. */
    private static <K> Written<K> failed(Set<? extends K> keys, Stream<? extends K> open, RuntimeException failure) {
        Set<K> done = new LinkedHashSet<>(keys);
        open.forEach(done::remove);
        return new Written<>(done, wrapped(failure));
    }

    private static CacheWriterException wrapped(RuntimeException failure) {
        return failure instanceof CacheWriterException already
                ? already
                : new CacheWriterException("The cache writer failed: " + failure, failure);
    }

    /**
     * The keys that the writer has written or deleted, and the failure of the others, or null. By JSR-107, a writer
     * removes what it has done from its collection.
     */
    record Written<K>(Set<K> done, @Nullable CacheWriterException failure) {}

    /** The entry that the writer receives. */
    private record WrittenEntry<K, V>(K key, V value) implements Cache.Entry<K, V> {
        @Override
        public K getKey() {
            return key;
        }

        @Override
        public V getValue() {
            return value;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return Unwrap.as(this, type);
        }
    }
}
