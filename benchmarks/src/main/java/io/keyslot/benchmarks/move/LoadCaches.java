// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.slot.HashSlot;
import java.net.URI;
import java.util.List;
import java.util.Properties;
import javax.cache.Caching;

/** The caches of the application and their entries. A value is a number padded with letters. */
final class LoadCaches implements AutoCloseable {
    static final String ITEM = "item";
    static final String CUSTOMER = "customer";
    static final String ACCOUNT = "account";

    private static final String PROVIDER = "io.keyslot.client.jcache.KeyslotCachingProvider";

    private final PartitionedCacheManager manager;
    private final PartitionedCache<String, String> items;
    private final PartitionedCache<EntityKey, Long> accounts;
    private final String padding;

    private LoadCaches(PartitionedCacheManager manager, int valueBytes) {
        this.manager = manager;
        this.padding = "x".repeat(valueBytes);
        this.items = manager.createCache(
                ITEM,
                new PartitionedConfiguration<String, String>()
                        .setTypes(String.class, String.class)
                        .setMissingPartition(MissingPartitionPolicy.FAIL));
        this.accounts = manager.createCache(
                ACCOUNT,
                new PartitionedConfiguration<EntityKey, Long>()
                        .setTypes(EntityKey.class, Long.class)
                        .setMissingPartition(MissingPartitionPolicy.FAIL)
                        .setGroupedBy(CUSTOMER));
    }

    static LoadCaches open(Properties properties, int valueBytes, String name) {
        return new LoadCaches(
                (PartitionedCacheManager) Caching.getCachingProvider(PROVIDER)
                        .getCacheManager(URI.create(name), LoadCaches.class.getClassLoader(), properties),
                valueBytes);
    }

    /** The settings of clients and coordinator, with long deadlines, because all processes share one machine. */
    static Properties properties(List<String> partitions) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.metrics", "false");
        properties.setProperty("keyslot.partitions", String.join(",", partitions));
        properties.setProperty("keyslot.startup.wait", "10s");
        properties.setProperty("keyslot.deadlines.call", "5s");
        properties.setProperty("keyslot.deadlines.command", "2s");
        return properties;
    }

    PartitionedCacheManager manager() {
        return manager;
    }

    PartitionedCache<String, String> items() {
        return items;
    }

    PartitionedCache<EntityKey, Long> accounts() {
        return accounts;
    }

    String value(long number) {
        String text = Long.toString(number);
        return text + padding.substring(Math.min(padding.length(), text.length()));
    }

    static long number(String value) {
        int end = value.indexOf('x');
        return Long.parseLong(end < 0 ? value : value.substring(0, end));
    }

    /** The key of an entry that no thread changes. */
    static String restKey(int number) {
        return "rest" + number;
    }

    static int slotOf(String key) {
        return HashSlot.of(EntityKey.of(ITEM, key).text());
    }

    static int slotOf(EntityKey key) {
        return HashSlot.of(key.text());
    }

    static EntityKey account(EntityKey root, String name) {
        return EntityKey.of(ACCOUNT, name).in(root);
    }

    @Override
    public void close() {
        manager.close();
    }
}
