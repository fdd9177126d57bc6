// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedChange;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A consumer that has a map of its own, which it reads anew after a gap. Values are {@code writer:number}; those of a
 * writer must come in order for each key. Several consumers may share one map, and the partitions that one of them is
 * reading.
 */
final class Follower implements Consumer<FeedBatch<EntityKey, String>> {
    private final PartitionedCache<EntityKey, String> cache;
    private final Collection<EntityKey> keys;
    private final Map<EntityKey, String> map;
    private final Map<String, Integer> last = new ConcurrentHashMap<>();
    private final Set<String> reading;
    final Queue<String> problems = new ConcurrentLinkedQueue<>();
    final Map<String, AtomicInteger> gaps = new ConcurrentHashMap<>();
    final Set<String> partitions = ConcurrentHashMap.newKeySet(); // from which batches came
    final Set<String> tokens = ConcurrentHashMap.newKeySet();
    final AtomicInteger ofGroups = new AtomicInteger();

    Follower(
            PartitionedCache<EntityKey, String> cache,
            Collection<EntityKey> keys,
            Map<EntityKey, String> map,
            Set<String> reading) {
        this.cache = cache;
        this.keys = keys;
        this.map = map;
        this.reading = reading;
    }

    @Override
    public void accept(FeedBatch<EntityKey, String> batch) {
        if (!reading.add(batch.partition())) {
            problems.add("two calls at a time for " + batch.partition());
        }
        try {
            process(batch);
        } finally {
            reading.remove(batch.partition());
        }
    }

    private void process(FeedBatch<EntityKey, String> batch) {
        partitions.add(batch.partition());
        tokens.add(batch.partition() + " " + batch.fencingToken());
        if (batch.isGap()) {
            gaps.computeIfAbsent(batch.partition(), first -> new AtomicInteger())
                    .incrementAndGet();
            last.clear();
            readAnew(batch.partition());
        }
        batch.changes().forEach(this::apply);
        batch.checkpoint();
    }

    private void readAnew(String partition) {
        Map<EntityKey, String> found = new HashMap<>();
        // An iterator, because a read would load.
        cache.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        for (EntityKey key : keys) {
            if (cache.explain(key).partition().name().equals(partition)) {
                String value = found.get(key);
                if (value == null) {
                    map.remove(key);
                } else {
                    map.put(key, value);
                }
            }
        }
    }

    private void apply(FeedChange<EntityKey, String> change) {
        switch (change.kind()) {
            case REMOVE -> map.remove(change.key());
            case GROUP -> ofGroups.incrementAndGet();
            case PUT -> {
                String value = change.value();
                if (value == null) {
                    problems.add("no value of " + change.key());
                    return;
                }
                map.put(change.key(), value);
                String[] words = value.split(":", -1);
                if (words.length == 2) {
                    int number = Integer.parseInt(words[1]);
                    Integer before = last.put(change.key() + " by " + words[0], number);
                    if (before != null && before > number) {
                        problems.add("%s after %s of %s".formatted(value, before, change.key()));
                    }
                }
            }
        }
    }

    int gapsOf(String partition) {
        AtomicInteger known = gaps.get(partition);
        return known == null ? 0 : known.get();
    }
}
