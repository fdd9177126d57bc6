// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cluster.demo.DemoReport.LoadCounts;
import io.keyslot.slot.HashSlot;
import java.time.Duration;
import java.util.List;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;

/**
 * The caches of the demo: read-through, with the sales in the groups of their customers. What works with them knows
 * {@code javax.cache} only.
 */
final class Shop {
    static final String CUSTOMER = "customer";
    static final String PRODUCT = "product";
    static final String SALE = "sale";

    private final DemoLoads customerLoads = new DemoLoads();
    private final DemoLoads productLoads = new DemoLoads();
    private final DemoLoads saleLoads = new DemoLoads();
    private final Cache<Integer, Customer> customers;
    private final Cache<Integer, Product> products;
    private final Cache<SaleKey, Sale> sales;

    /**
     * Creates the caches.
     *
     * @param timeToLive how long an entry lives, null for as long as the partitions do
     */
    Shop(CacheManager manager, FoodMart foodMart, @Nullable Duration timeToLive) {
        customers = manager.createCache(
                CUSTOMER,
                readThrough(
                        Integer.class,
                        Customer.class,
                        new FoodMartLoader<>(foodMart::customer, Shop::slotOfCustomer, customerLoads),
                        timeToLive));
        products = manager.createCache(
                PRODUCT,
                readThrough(
                        Integer.class,
                        Product.class,
                        new FoodMartLoader<>(foodMart::product, Shop::slotOfProduct, productLoads),
                        timeToLive));
        sales = manager.createCache(
                SALE,
                readThrough(
                                SaleKey.class,
                                Sale.class,
                                new FoodMartLoader<>(foodMart::sale, key -> slotOfCustomer(key.customer()), saleLoads),
                                timeToLive)
                        .setGroupedBy(CUSTOMER));
    }

    private static <K, V> PartitionedConfiguration<K, V> readThrough(
            Class<K> keys, Class<V> values, FoodMartLoader<K, V> loader, @Nullable Duration timeToLive) {
        PartitionedConfiguration<K, V> configuration =
                new PartitionedConfiguration<K, V>().setTypes(keys, values).setReadThrough(true);
        configuration.setCacheLoaderFactory(() -> loader).setStoreByValue(true);
        return timeToLive == null ? configuration : configuration.setTimeToLive(timeToLive);
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

    /** Returns the counters of all caches. */
    List<DemoLoads> loads() {
        return List.of(customerLoads, productLoads, saleLoads);
    }

    /** Returns how often the loaders were asked up to now. */
    LoadCounts loadCounts() {
        return new LoadCounts(customerLoads.all(), productLoads.all(), saleLoads.all());
    }

    /** Returns the hash slot of a customer, and of all that is grouped with them. */
    static int slotOfCustomer(int customer) {
        return HashSlot.of(EntityKey.of(CUSTOMER, customer).text());
    }

    private static int slotOfProduct(int product) {
        return HashSlot.of(EntityKey.of(PRODUCT, product).text());
    }
}
