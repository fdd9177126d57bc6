// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.slot.HashSlot;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/** The caches of the demo: read-through, with the sales in the groups of their customers. */
final class Shop {
    private static final String CUSTOMER = "customer";
    private static final String PRODUCT = "product";

    private final LongAdder loads = new LongAdder();
    private final LongAdder loadsOfMissing = new LongAdder();
    private final Cache<Integer, Customer> customers;
    private final Cache<Integer, Product> products;
    private final Cache<SaleKey, Sale> sales;
    private volatile IntPredicate missing = slot -> false;

    Shop(CacheManager manager, FoodMart foodMart) {
        customers = manager.createCache(
                CUSTOMER, readThrough(Integer.class, Customer.class, foodMart::customer, Shop::slotOfCustomer));
        products = manager.createCache(
                PRODUCT,
                readThrough(
                        Integer.class,
                        Product.class,
                        foodMart::product,
                        product -> HashSlot.of(EntityKey.of(PRODUCT, product).text())));
        sales = manager.createCache(
                "sale",
                readThrough(SaleKey.class, Sale.class, foodMart::sale, key -> slotOfCustomer(key.customer()))
                        .setGroupedBy(CUSTOMER));
    }

    private <K, V> PartitionedConfiguration<K, V> readThrough(
            Class<K> keys, Class<V> values, Function<K, @Nullable V> source, ToIntFunction<K> slots) {
        PartitionedConfiguration<K, V> configuration =
                new PartitionedConfiguration<K, V>().setTypes(keys, values).setReadThrough(true);
        configuration.setCacheLoaderFactory(() -> new Loader<>(source, slots)).setStoreByValue(true);
        return configuration;
    }

    Cache<Integer, Customer> customers() {
        return customers;
    }

    Cache<Integer, Product> products() {
        return products;
    }

    Cache<SaleKey, Sale> sales() {
        return sales;
    }

    void missing(IntPredicate slots) {
        missing = slots;
    }

    long loads() {
        return loads.sum();
    }

    long loadsOfMissing() {
        return loadsOfMissing.sum();
    }

    static int slotOfCustomer(int customer) {
        return HashSlot.of(EntityKey.of(CUSTOMER, customer).text());
    }

    private final class Loader<K, V> implements CacheLoader<K, V> {
        private final Function<K, @Nullable V> source;
        private final ToIntFunction<K> slots;

        Loader(Function<K, @Nullable V> source, ToIntFunction<K> slots) {
            this.source = source;
            this.slots = slots;
        }

        @Override
        public @Nullable V load(K key) {
            loads.increment();
            if (missing.test(slots.applyAsInt(key))) {
                loadsOfMissing.increment();
            }
            return source.apply(key);
        }

        @Override
        public Map<K, V> loadAll(Iterable<? extends K> keys) {
            Map<K, V> loaded = new HashMap<>();
            for (K key : keys) {
                V value = load(key);
                if (value != null) {
                    loaded.put(key, value);
                }
            }
            return loaded;
        }
    }
}
