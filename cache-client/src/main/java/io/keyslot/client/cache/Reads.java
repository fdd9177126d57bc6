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

/** Reads entries, and loads missing ones. {@link ReadPolicy} decides what a read returns if a partition fails. */
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

    boolean reportsOutages() {
        return policy.missingPartition() == MissingPartitionPolicy.FAIL;
    }

    public LocalEntries<K, V> kept() {
        return kept;
    }

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

    /** As {@link #get(Object)}, but {@code by} loads the value if it or its partition is missing. */
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
            policy.answersByLoader(failure); // throws if the policy is to report failures
        }
        return by.load(key, encoded, answer, budget);
    }

    /** Returns whether to load the value; throws if the partition failed and the policy is to report this. */
    private boolean isToBeLoaded(Answer<V> answer) {
        KeyslotException failure = answer.failure();
        if (failure != null) {
            return policy.answersByLoader(failure);
        }
        return policy.isReadThrough() && answer.kind() != Answer.Kind.NEGATIVE;
    }

    /** Reads an entry, and changes its expiry as the policy requires. */
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

    public boolean containsKey(K key) {
        if (kept.contains(key)) {
            return true;
        }
        EncodedKey encoded = calls.encode(key);
        return store.get(encoded, Expiry.UNCHANGED, calls.budget("containsKey"))
                .orThrow()
                .isPresent();
    }

    public Map<K, V> getAll(Set<? extends K> wanted) {
        calls.checkBatch(wanted.size());
        return kept.isOn() ? bulk.getAllKept(wanted) : bulk.getAll(wanted);
    }
}
