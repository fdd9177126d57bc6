// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.LoadedValue;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.micrometer.observation.ObservationRegistry;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache.Entry;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** What the examples of the documents take for granted: an application with a cache manager, caches and a database. Never run. */
@SuppressWarnings("NullAway.Init") // only compiled against
abstract class TakenForGranted {
    PartitionedCacheManager manager;
    PartitionedCache<Long, Customer> customers;
    PartitionedCache<Long, Order> orders;
    PartitionedCache<Long, Product> products;
    PartitionedCache<String, String> countries;
    PartitionedConfiguration<Long, Price> configuration;
    Database<Product> database;
    Database<Price> prices;
    Order order;
    Order paid;
    Booking booking;
    PaymentService paymentService;
    Product tea;
    ObservationRegistry observationRegistry;

    record Customer(String name, String city) implements Serializable {}

    record Order(boolean isOpen, Instant due) implements Serializable {}

    record Product(String name, Duration validFor) implements Serializable {}

    record Price(long cents, Duration validFor) implements Serializable {}

    record Booking(Instant at, long cents) implements Serializable {}

    interface PaymentService {
        void pay(long token);
    }

    interface Database<V> {
        @Nullable
        V find(Object id);

        <K> Map<K, V> findAll(Iterable<? extends K> ids);
    }

    /** An application's cache loader, {@code com.acme.shop.BookLoader}. */
    public static final class Loader implements CacheLoader<Long, Customer> {
        @Override
        public Customer load(Long id) {
            return new Customer("Ada", "London");
        }

        @Override
        public Map<Long, Customer> loadAll(Iterable<? extends Long> ids) {
            Map<Long, Customer> found = new ConcurrentHashMap<>();
            ids.forEach(id -> found.put(id, load(id)));
            return found;
        }
    }

    /** An application's cache writer, {@code com.acme.VisitWriter}. */
    public static final class Writer implements CacheWriter<EntityKey, LoadedValue<String>> {
        private final Map<Object, Object> rows = new ConcurrentHashMap<>();

        @Override
        public void write(Entry<? extends EntityKey, ? extends LoadedValue<String>> entry) {
            rows.put(entry.getKey(), entry.getValue());
        }

        @Override
        public void writeAll(Collection<Entry<? extends EntityKey, ? extends LoadedValue<String>>> entries) {
            entries.forEach(this::write);
        }

        @Override
        public void delete(Object key) {
            rows.remove(key);
        }

        @Override
        public void deleteAll(Collection<?> keys) {
            rows.keySet().removeAll(keys);
        }
    }
}
