// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.loading.Loads;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads many entries at once, and loads missing ones. */
final class BulkReads<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final CacheCounters counters;
    private final Loads<K, V> loads;
    private final StalePolicy<K, V> served;
    private final AccessExpiry touches;

    BulkReads(
            CacheCalls<K> calls,
            EntryStore<V> store,
            CacheCounters counters,
            Loads<K, V> loads,
            StalePolicy<K, V> served,
            AccessExpiry touches) {
        this.calls = calls;
        this.store = store;
        this.counters = counters;
        this.loads = loads;
        this.served = served;
        this.touches = touches;
    }

    /** Returns the values, first from near entries; missing ones among the others are loaded. */
    Map<K, V> getAllKept(Set<? extends K> wanted) {
        Map<K, V> found = new LinkedHashMap<>(2 * wanted.size());
        List<K> others = new ArrayList<>();
        for (K key : wanted) {
            V near = served.near(key);
            if (near == null) {
                others.add(key);
            } else {
                found.put(key, near);
            }
        }
        counters.hits(found.size());
        if (!others.isEmpty()) {
            found.putAll(getAll(others));
        }
        return found;
    }

    Map<K, V> getAll(Collection<? extends K> wanted) {
        List<K> keys = new ArrayList<>(wanted);
        List<EncodedKey> encoded = calls.encodeAll(keys);
        CallBudget budget = calls.budgetFor("getAll", keys.size());
        List<Answer<V>> answers = store.readAll(encoded, budget);
        List<Loads.Wanted<K, V>> missing = new ArrayList<>();
        Map<K, V> found = served(keys, encoded, answers, budget, missing);
        counters.hits(found.size());
        counters.misses(keys.size() - found.size());
        if (!missing.isEmpty()) {
            found.putAll(loads.load(toLoad(missing), budget));
        }
        return found;
    }

    /** Returns the values that can be served without a load, and adds the other entries to {@code missing}. */
    private Map<K, V> served(
            List<K> keys,
            List<EncodedKey> encoded,
            List<Answer<V>> answers,
            CallBudget budget,
            List<Loads.Wanted<K, V>> missing) {
        Map<K, V> found = new LinkedHashMap<>(2 * keys.size());
        List<Command.CompareAndExpire> touched = new ArrayList<>();
        boolean isTouched = touches.areAny();
        for (int i = 0; i < keys.size(); i++) {
            Answer<V> answer = answers.get(i);
            V value = served.read(keys.get(i), encoded.get(i), answer);
            if (value == null && answer.kind() != Answer.Kind.NEGATIVE) {
                missing.add(new Loads.Wanted<>(keys.get(i), encoded.get(i), answer));
            } else if (value != null) {
                found.put(keys.get(i), value);
                if (isTouched && answer.isPresent()) {
                    touches.collect(encoded.get(i), answer, budget, touched);
                }
            }
        }
        touches.touchAll(touched, budget);
        return found;
    }

    private List<Loads.Wanted<K, V>> toLoad(List<Loads.Wanted<K, V>> missing) {
        Map<K, KeyslotException> failed = new LinkedHashMap<>();
        for (Loads.Wanted<K, V> wanted : missing) {
            KeyslotException failure = wanted.seen().failure();
            if (failure != null) {
                failed.put(wanted.key(), failure);
            }
        }
        boolean loadsFailed = !failed.isEmpty()
                && loads.policy().answersByLoader(calls.failures().ofBulk("getAll", failed));
        return missing.stream()
                .filter(wanted ->
                        wanted.seen().failure() == null ? loads.policy().isReadThrough() : loadsFailed)
                .toList();
    }
}
