// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.KeyslotException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that change shared entries in all ways. */
final class Writers {
    static final int CUSTOMERS = 30;
    static final int ORDERS = 5;

    private final List<Future<?>> threads = new ArrayList<>();
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    final AtomicLong calls = new AtomicLong();

    static List<EntityKey> keys() {
        List<EntityKey> keys = new ArrayList<>();
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            for (int order = 0; order < ORDERS; order++) {
                keys.add(FeedServers.key(customer, order));
            }
        }
        return keys;
    }

    void start(ExecutorService pool, String name, PartitionedCache<EntityKey, String> cache) {
        threads.add(pool.submit(() -> work(name, cache)));
    }

    void stop() throws Exception {
        goesOn.set(false);
        for (Future<?> thread : threads) {
            thread.get(30, TimeUnit.SECONDS);
        }
    }

    private void work(String name, PartitionedCache<EntityKey, String> cache) {
        Random random = new Random(name.hashCode());
        List<EntityKey> keys = keys();
        for (int number = 1; goesOn.get(); number++) {
            EntityKey key = keys.get(random.nextInt(keys.size()));
            try {
                change(random, cache, keys, key, name + ":" + number);
            } catch (KeyslotException outage) {
                // The feed has what was done, whether or not this writer knows.
            }
            calls.incrementAndGet();
        }
    }

    private static void change(
            Random random,
            PartitionedCache<EntityKey, String> cache,
            List<EntityKey> keys,
            EntityKey key,
            String value) {
        switch (random.nextInt(14)) {
            case 0, 1 -> cache.put(key, value);
            case 2 -> {
                Map<EntityKey, String> several = new HashMap<>();
                for (int i = 0; i < 10; i++) {
                    several.put(keys.get(random.nextInt(keys.size())), value);
                }
                cache.putAll(several);
            }
            case 3 -> cache.putIfAbsent(key, value);
            case 4 -> cache.replace(key, value);
            case 5 -> {
                String before = cache.get(key); // loads
                if (before != null) {
                    cache.replace(key, before, value);
                }
            }
            case 6 -> cache.getAndPut(key, value);
            case 7 -> cache.remove(key);
            case 8 -> cache.getAndRemove(key);
            case 9 -> cache.removeAll(new HashSet<>(keys.subList(0, random.nextInt(20))));
            case 10 ->
                cache.invoke(key, (entry, arguments) -> {
                    entry.setValue(value);
                    return null;
                });
            case 11 ->
                cache.invoke(key, (entry, arguments) -> {
                    if (entry.exists()) {
                        entry.remove();
                    }
                    return null;
                });
            case 12 ->
                cache.group(key).transactWithoutResult(transaction -> {
                    int customer = random.nextInt(Writers.CUSTOMERS);
                    transaction.entries(cache).put(key, value);
                    EntityKey root = key.root();
                    for (EntityKey other : keys) {
                        if (other.root().equals(root) && !other.equals(key) && (customer & 1) == 0) {
                            transaction.entries(cache).remove(other);
                        }
                    }
                });
            default -> {
                if (random.nextInt(200) == 0) {
                    cache.clear();
                } else {
                    cache.put(key, value, java.time.Duration.ofHours(1));
                }
            }
        }
    }
}
