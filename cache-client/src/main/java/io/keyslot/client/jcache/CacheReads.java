// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads single and many entries, and loads missing ones. {@link ReadPolicy} decides what a read returns if a partition
 * fails, and which values it serves without waiting for a load. Thread-safe.
 */
record CacheReads<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        CacheCounters counters,
        ExpiryRules rules,
        ReadPolicy policy,
        Loads<K, V> loads,
        @Nullable NearCache<K, V> near) {
    private static final Logger LOG = LoggerFactory.getLogger(CacheReads.class);

    boolean reportsOutages() {
        return policy.missingPartition() == MissingPartitionPolicy.FAIL;
    }

    @Nullable
    V get(K key) {
        return get(key, null);
    }

    /**
     * Returns the value. If it or its partition is missing, {@code by} loads it; if {@code by} is null, the loader of
     * the cache does, as the policy requires.
     */
    @Nullable
    V get(K key, @Nullable Loads<K, V> by) {
        V present = near == null ? null : near.get(key);
        if (present != null) {
            counters.hits(1);
            return present;
        }
        return get(key, calls.encode(key), calls.budget("get"), by);
    }

    AsyncCalls.OneCommand<@Nullable V> getInParts(K key, @Nullable Loads<K, V> by) {
        if (near != null && near.contains(key)) {
            return AsyncCalls.OneCommand.none(() -> get(key, by));
        }
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget("get");
        Expiry access = rules.isConstant() ? rules.onAccess().orElse(Expiry.UNCHANGED) : Expiry.UNCHANGED;
        return new AsyncCalls.OneCommand<>(
                () -> store.readAhead(encoded, access, budget), () -> get(key, encoded, budget, by), false);
    }

    private @Nullable V get(K key, EncodedKey encoded, CallBudget budget, @Nullable Loads<K, V> by) {
        Answer<V> answer = access(encoded, budget);
        V value = served(key, encoded, answer);
        counters.lookup(value != null);
        if (value != null) {
            return value;
        }
        if (by == null) {
            return isToBeLoaded(answer) ? loads.load(key, encoded, answer, budget) : null;
        }
        KeyslotException failure = answer.failure();
        if (failure != null) {
            policy.answersByLoader(failure); // throws if the policy is to report failures
        }
        return by.load(key, encoded, answer, budget);
    }

    private @Nullable V served(K key, EncodedKey encoded, Answer<V> answer) {
        V present = answer.value();
        if (present != null) {
            return present;
        }
        if (policy.isServedWhileLoading(answer)) {
            loads.refresh(key, encoded, answer);
            return answer.stored();
        }
        return near == null || answer.failure() == null ? null : near.getMissing(key);
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
            touch(encoded, answer.stamp(), rules.onAccess(), budget);
        }
        return answer;
    }

    /** Changes the expiry of an entry that was read. Most failures do not affect the read. */
    private void touch(EncodedKey encoded, long stamp, Optional<Expiry> wanted, CallBudget budget) {
        try {
            if (wanted.isEmpty()) {
                boolean unused = store.change(new Command.CompareAndRemove(encoded, stamp), budget);
            } else if (!wanted.get().isUnchanged()) {
                store.compareAndExpire(encoded, stamp, wanted.get(), budget);
            }
        } catch (KeyslotException e) {
            if (e instanceof PartitionUnavailableException refused && refused.isForGood()) {
                throw e; // otherwise each read would leave an expiry that contradicts the policy
            }
            LOG.debug("Cache {}: an entry was read, but its expiry was not changed", calls.name(), e);
        }
    }

    boolean containsKey(K key) {
        return (near != null && near.contains(key)) || isStored(calls.encode(key), calls.budget("containsKey"));
    }

    private boolean isStored(EncodedKey encoded, CallBudget budget) {
        return store.get(encoded, budget).orThrow().isPresent();
    }

    AsyncCalls.Parts<Boolean> containsKeyInParts(K key) {
        if (near != null && near.contains(key)) {
            return AsyncCalls.OneCommand.none(() -> containsKey(key));
        }
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget("containsKey");
        return new AsyncCalls.OneCommand<>(
                () -> store.getAhead(encoded, budget), () -> isStored(encoded, budget), false);
    }

    /** Returns the values, first from near entries; missing ones among the others are loaded. */
    Map<K, V> getAll(Set<? extends K> wanted) {
        calls.checkBatch(wanted.size());
        Map<K, V> found = new LinkedHashMap<>(2 * wanted.size());
        List<K> others = notNear(wanted, found);
        if (!others.isEmpty()) {
            getAll(others, calls.encodeAll(others), found, calls.budgetFor("getAll", others.size()));
        }
        return found;
    }

    AsyncCalls.Parts<Map<K, V>> getAllInParts(Set<? extends K> wanted) {
        calls.checkBatch(wanted.size());
        Map<K, V> found = new LinkedHashMap<>(2 * wanted.size());
        List<K> others = notNear(wanted, found);
        List<EncodedKey> encoded = calls.encodeAll(others);
        CallBudget budget = calls.budgetFor("getAll", others.size());
        if (others.isEmpty()) {
            return AsyncCalls.OneCommand.none(() -> found);
        }
        Supplier<Map<K, V>> rest = () -> {
            getAll(others, encoded, found, budget);
            return found;
        };
        return new AsyncCalls.OneCommand<>(() -> store.readAllAhead(encoded, budget), rest, false);
    }

    /** Adds near entries to {@code found}, and returns the other keys. */
    private List<K> notNear(Set<? extends K> wanted, Map<K, V> found) {
        if (near == null) {
            return new ArrayList<>(wanted);
        }
        List<K> others = new ArrayList<>();
        for (K key : wanted) {
            V present = near.get(key);
            if (present == null) {
                others.add(key);
            } else {
                found.put(key, present);
            }
        }
        counters.hits(found.size());
        return others;
    }

    /** Adds the entries to {@code found}. */
    private void getAll(List<K> keys, List<EncodedKey> encoded, Map<K, V> found, CallBudget budget) {
        List<Answer<V>> answers = store.readAll(encoded, budget);
        int before = found.size();
        List<Loads.Wanted<K, V>> missing = serve(keys, encoded, answers, found, budget);
        int hits = found.size() - before;
        counters.hits(hits);
        counters.misses(keys.size() - hits);
        if (!missing.isEmpty()) {
            found.putAll(loads.load(toLoad(missing), budget));
        }
    }

    /** Adds the values that can be served without a load, and returns the other entries. */
    private List<Loads.Wanted<K, V>> serve(
            List<K> keys, List<EncodedKey> encoded, List<Answer<V>> answers, Map<K, V> found, CallBudget budget) {
        List<Loads.Wanted<K, V>> missing = new ArrayList<>();
        List<Command.CompareAndExpire> touched = new ArrayList<>();
        boolean isTouched = rules.mayTouch();
        for (int i = 0; i < keys.size(); i++) {
            Answer<V> answer = answers.get(i);
            V value = served(keys.get(i), encoded.get(i), answer);
            if (value == null && answer.kind() != Answer.Kind.NEGATIVE) {
                missing.add(new Loads.Wanted<>(keys.get(i), encoded.get(i), answer));
            } else if (value != null) {
                found.put(keys.get(i), value);
                if (isTouched && answer.isPresent()) {
                    collectTouch(encoded.get(i), answer, budget, touched);
                }
            }
        }
        store.expireAll(touched, budget);
        return missing;
    }

    /** Adds an entry to those whose expiry is changed together, or removes it if it expires at once. */
    private void collectTouch(
            EncodedKey encoded, Answer<?> answer, CallBudget budget, List<Command.CompareAndExpire> touched) {
        Optional<Expiry> wanted = rules.onAccess();
        if (wanted.isEmpty()) {
            touch(encoded, answer.stamp(), wanted, budget);
        } else if (!wanted.get().isUnchanged()) {
            touched.add(new Command.CompareAndExpire(encoded, answer.stamp(), wanted.get()));
        }
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

    /** Counts an entry that an iteration returned, and changes its expiry. */
    void returned(EncodedKey encoded, long stamp) {
        counters.hits(1);
        touch(encoded, stamp, rules.onAccess(), calls.budget("iterator"));
    }
}
