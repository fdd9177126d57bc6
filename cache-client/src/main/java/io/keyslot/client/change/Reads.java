// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.change;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryReads;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.expiry.ExpiryRules;
import io.keyslot.client.loading.Loads;
import io.keyslot.client.loading.ReadPolicy;
import io.keyslot.client.partition.Command;
import io.keyslot.client.scan.Visits;
import io.keyslot.client.statistics.CacheCounters;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.time.CallBudget;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads entries, and loads those that are missing. {@link ReadPolicy} decides what a read answers when a partition cannot
 * be asked.
 */
public final class Reads<K, V> implements Visits {
    private static final Logger LOG = LoggerFactory.getLogger(Reads.class);

    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final CacheCounters counters;
    private final ExpiryRules rules;
    private final ReadPolicy policy;
    private final Loads<K, V> loads;
    private final KeptCopies<K, V> kept;

    /** @param kept what is asked before the store */
    public Reads(
            CacheCalls<K> calls,
            EntryStore<V> store,
            CacheCounters counters,
            ExpiryRules rules,
            Loads<K, V> loads,
            KeptCopies<K, V> kept) {
        this.calls = calls;
        this.store = store;
        this.counters = counters;
        this.rules = rules;
        this.policy = loads.policy();
        this.loads = loads;
        this.kept = kept;
    }

    /** Returns the copies in this process that are asked first. */
    public KeptCopies<K, V> kept() {
        return kept;
    }

    /** Returns the value, loaded if it is missing and the cache reads through; null if there is none. */
    @Nullable
    public V get(K key) {
        V near = kept.isOn() ? near(key) : null;
        if (near != null) {
            counters.hits(1);
            return near;
        }
        return get(key, store.reads());
    }

    /** Returns the value of a copy in this process, and has it loaded again if it is time for that; null if there is none. */
    private @Nullable V near(K key) {
        if (!policy.isRefreshedAhead()) {
            return kept.get(key);
        }
        Answer<V> answer = kept.find(key);
        return answer == null ? null : served(key, calls.encode(key), answer);
    }

    /** As {@link #get(Object)}, from the copies of one partition if the cache is replicated. */
    @Nullable
    public V getAt(PartitionId partition, K key) {
        return get(key, store.at(partition));
    }

    private @Nullable V get(K key, EntryReads<V> reads) {
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget("get");
        Answer<V> answer = access(encoded, reads, budget);
        V served = served(key, encoded, answer);
        if (served == null) {
            served = kept.getMissing(key, answer);
        }
        counters.lookup(served != null);
        if (served != null) {
            return served;
        }
        return isToBeLoaded(answer) ? loads.load(key, encoded, answer, budget) : null;
    }

    /** Returns the value if what was read may be served as it is, and has it loaded again if it is time for that. */
    private @Nullable V served(K key, EncodedKey encoded, Answer<V> answer) {
        if (answer.isPresent()) {
            if (policy.isDueEarly(answer)) {
                loads.refresh(key, encoded, answer);
            }
            return answer.value();
        }
        if (!policy.isServedWhileLoading(answer)) {
            return null;
        }
        loads.refreshServed(key, encoded, answer);
        return answer.stored();
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
    private Answer<V> access(EncodedKey encoded, EntryReads<V> reads, CallBudget budget) {
        if (rules.isConstant()) {
            return reads.get(encoded, rules.onAccess().orElse(Expiry.UNCHANGED), budget);
        }
        Answer<V> answer = reads.get(encoded, Expiry.UNCHANGED, budget);
        if (answer.isPresent()) {
            touch(encoded, answer.stamp(), budget);
        }
        return answer;
    }

    @Override
    public void returned(EncodedKey encoded, long stamp) {
        counters.hits(1);
        touch(encoded, stamp, calls.budget("iterator"));
    }

    @Override
    public void requirePassedOver(KeyslotException failure) {
        policy.requirePassedOver(failure);
    }

    /** Lets an entry that was read expire when the policy says. A value that was read is served, whatever comes of it. */
    private void touch(EncodedKey encoded, long stamp, CallBudget budget) {
        touch(encoded, stamp, rules.onAccess(), budget);
    }

    private void touch(EncodedKey encoded, long stamp, Optional<Expiry> wanted, CallBudget budget) {
        try {
            if (wanted.isEmpty()) {
                store.compareAndRemove(encoded, stamp, budget);
            } else if (!wanted.get().isUnchanged()) {
                store.compareAndExpire(encoded, stamp, wanted.get(), budget);
            }
        } catch (KeyslotException e) {
            LOG.debug("Cache {}: an entry was read, but its expiry was not changed", calls.name(), e);
        }
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
        return kept.isOn() ? getAllKept(wanted) : getAll(wanted, store.reads());
    }

    private Map<K, V> getAllKept(Set<? extends K> wanted) {
        Map<K, V> found = new LinkedHashMap<>(2 * wanted.size());
        List<K> others = new ArrayList<>();
        for (K key : wanted) {
            V near = near(key);
            if (near == null) {
                others.add(key);
            } else {
                found.put(key, near);
            }
        }
        counters.hits(found.size());
        if (!others.isEmpty()) {
            found.putAll(getAll(others, store.reads()));
        }
        return found;
    }

    /** As {@link #getAll(Set)}, from the copies of one partition if the cache is replicated. */
    public Map<K, V> getAllAt(PartitionId partition, Set<? extends K> wanted) {
        calls.checkBatch(wanted.size());
        return getAll(wanted, store.at(partition));
    }

    private Map<K, V> getAll(Collection<? extends K> wanted, EntryReads<V> reads) {
        List<K> keys = new ArrayList<>(wanted);
        List<EncodedKey> encoded = calls.encodeAll(keys);
        CallBudget budget = calls.budgetFor("getAll", keys.size());
        List<Answer<V>> answers = reads.getAll(encoded, budget);
        Map<K, V> found = new LinkedHashMap<>(2 * keys.size());
        List<Loads.Wanted<K, V>> missing = new ArrayList<>();
        Map<K, KeyslotException> failed = new LinkedHashMap<>();
        List<Command.CompareAndExpire> touched = new ArrayList<>();
        boolean isTouched = rules.mayTouch();
        for (int i = 0; i < keys.size(); i++) {
            K key = keys.get(i);
            Answer<V> answer = answers.get(i);
            V served = served(key, encoded.get(i), answer);
            if (served == null) {
                served = kept.getMissing(key, answer);
            }
            if (served != null) {
                found.put(key, served);
                if (isTouched && answer.isPresent()) {
                    touch(encoded.get(i), answer, budget, touched);
                }
            } else if (answer.kind() != Answer.Kind.NEGATIVE) {
                missing.add(new Loads.Wanted<>(key, encoded.get(i), answer));
                putIfFailed(failed, key, answer);
            }
        }
        store.expireAll(touched, budget);
        counters.hits(found.size());
        counters.misses(keys.size() - found.size());
        if (!missing.isEmpty()) {
            found.putAll(loads.load(toLoad(missing, failed), budget));
        }
        return found;
    }

    private static <K> void putIfFailed(Map<K, KeyslotException> failed, K key, Answer<?> answer) {
        KeyslotException failure = answer.failure();
        if (failure != null) {
            failed.put(key, failure);
        }
    }

    private List<Loads.Wanted<K, V>> toLoad(List<Loads.Wanted<K, V>> missing, Map<K, KeyslotException> failed) {
        boolean loadsFailed =
                !failed.isEmpty() && policy.answersByLoader(calls.failures().ofBulk("getAll", failed));
        return missing.stream()
                .filter(wanted -> wanted.seen().failure() == null ? policy.isReadThrough() : loadsFailed)
                .toList();
    }

    private void touch(
            EncodedKey encoded, Answer<V> answer, CallBudget budget, List<Command.CompareAndExpire> touched) {
        Optional<Expiry> wanted = rules.onAccess();
        if (wanted.isEmpty()) {
            touch(encoded, answer.stamp(), wanted, budget);
        } else if (!wanted.get().isUnchanged()) {
            touched.add(new Command.CompareAndExpire(encoded, answer.stamp(), wanted.get()));
        }
    }
}
