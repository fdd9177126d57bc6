// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.loading.Loads;
import io.keyslot.client.loading.ReadPolicy;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries, and loads those that are missing. {@link ReadPolicy} decides what a read answers when a partition cannot
 * be asked.
 */
public final class Reads<K, V> implements Visits {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final CacheCounters counters;
    private final ExpiryRules rules;
    private final ReadPolicy policy;
    private final Loads<K, V> loads;
    private final LocalEntries<K, V> kept;
    private final StalePolicy<K, V> served;
    private final AccessExpiry touches;
    private final BulkReads<K, V> bulk;

    /** @param kept what is asked before the store */
    public Reads(
            CacheCalls<K> calls,
            EntryStore<V> store,
            CacheCounters counters,
            ExpiryRules rules,
            Loads<K, V> loads,
            LocalEntries<K, V> kept) {
        this.calls = calls;
        this.store = store;
        this.counters = counters;
        this.rules = rules;
        this.policy = loads.policy();
        this.loads = loads;
        this.kept = kept;
        this.served = new StalePolicy<>(calls, loads, kept);
        this.touches = new AccessExpiry(calls, store, rules);
        this.bulk = new BulkReads<>(calls, store, counters, loads, served, touches);
    }

    /** Returns whether callers are to be told of a partition that is missing. */
    boolean reportsOutages() {
        return policy.missingPartition() == MissingPartitionPolicy.FAIL;
    }

    /** Returns the copies in this process that are asked first. */
    public LocalEntries<K, V> kept() {
        return kept;
    }

    /** Returns the value, loaded if it is missing and the cache reads through; null if there is none. */
    @Nullable
    public V get(K key) {
        V near = kept.isOn() ? served.near(key) : null;
        if (near != null) {
            counters.hits(1);
            return near;
        }
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget("get");
        Answer<V> answer = access(encoded, budget);
        V value = served.read(key, encoded, answer);
        counters.lookup(value != null);
        if (value != null) {
            return value;
        }
        return isToBeLoaded(answer) ? loads.load(key, encoded, answer, budget) : null;
    }

    /** As {@link #get(Object)}, loaded by others than the loads of the cache if it is missing, or its partition is. */
    @Nullable
    V get(K key, Loads<K, V> by) {
        V near = kept.isOn() ? served.near(key) : null;
        if (near != null) {
            counters.hits(1);
            return near;
        }
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget("get");
        Answer<V> answer = access(encoded, budget);
        V value = served.read(key, encoded, answer);
        counters.lookup(value != null);
        if (value != null) {
            return value;
        }
        KeyslotException failure = answer.failure();
        if (failure != null) {
            policy.answersByLoader(failure); // throws where a failure is to be told
        }
        return by.load(key, encoded, answer, budget);
    }

    /** Returns whether the loader is to be asked; throws if the partition cannot be asked and that is to be told. */
    private boolean isToBeLoaded(Answer<V> answer) {
        KeyslotException failure = answer.failure();
        if (failure != null) {
            return policy.answersByLoader(failure);
        }
        return policy.isReadThrough() && answer.kind() != Answer.Kind.NEGATIVE;
    }

    /** Reads an entry, and lets it expire when the policy says. */
    private Answer<V> access(EncodedKey encoded, CallBudget budget) {
        if (rules.isConstant()) {
            return store.read(encoded, rules.onAccess().orElse(Expiry.UNCHANGED), budget);
        }
        Answer<V> answer = store.read(encoded, Expiry.UNCHANGED, budget);
        if (answer.isPresent()) {
            touches.touch(encoded, answer.stamp(), budget);
        }
        return answer;
    }

    @Override
    public void returned(EncodedKey encoded, long stamp) {
        counters.hits(1);
        touches.touch(encoded, stamp, calls.budget("iterator"));
    }

    @Override
    public void requirePassedOver(KeyslotException failure) {
        policy.requirePassedOver(failure);
    }

    /** Returns whether there is an entry. */
    public boolean containsKey(K key) {
        if (kept.contains(key)) {
            return true;
        }
        EncodedKey encoded = calls.encode(key);
        return store.get(encoded, Expiry.UNCHANGED, calls.budget("containsKey"))
                .orThrow()
                .isPresent();
    }

    /** Returns the values, those that are missing loaded if the cache reads through. */
    public Map<K, V> getAll(Set<? extends K> wanted) {
        calls.checkBatch(wanted.size());
        return kept.isOn() ? bulk.getAllKept(wanted) : bulk.getAll(wanted);
    }
}
