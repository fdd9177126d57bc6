// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads entries, and loads those that are missing. The only place that decides what a read answers when a partition cannot
 * be asked.
 */
final class Reads<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(Reads.class);

    private final CacheParts<K, V> parts;
    private final Changes<K, V> changes;

    Reads(CacheParts<K, V> parts, Changes<K, V> changes) {
        this.parts = parts;
        this.changes = changes;
    }

    /** Returns the value, loaded if it is missing and the cache reads through; null if there is none. */
    @Nullable
    V get(K key) {
        EncodedKey encoded = parts.encode(key);
        CallBudget budget = parts.budget();
        Answer<V> answer = access(encoded, budget);
        parts.counters().lookup(answer.isPresent());
        if (answer.isPresent()) {
            return answer.value();
        }
        KeyslotException failure = answer.failure();
        if (failure != null) {
            return answersByLoader(failure) ? parts.loader().load(key) : null;
        }
        return parts.loader().isOnRead() ? loadAndStore(key) : null;
    }

    /** Reads an entry, and lets it expire when the policy says. */
    private Answer<V> access(EncodedKey encoded, CallBudget budget) {
        if (parts.expiry().isConstant()) {
            Expiry expiry = parts.expiry().onAccess().orElse(Expiry.UNCHANGED);
            return parts.store().get(encoded, expiry, budget);
        }
        Answer<V> answer = parts.store().get(encoded, Expiry.UNCHANGED, budget);
        if (answer.isPresent()) {
            touch(encoded, answer.stamp(), budget);
        }
        return answer;
    }

    /** Lets an entry that was read expire when the policy says. A value that was read is served, whatever comes of it. */
    void touch(EncodedKey encoded, long stamp, CallBudget budget) {
        touch(encoded, stamp, parts.expiry().onAccess(), budget);
    }

    private void touch(EncodedKey encoded, long stamp, Optional<Expiry> wanted, CallBudget budget) {
        try {
            if (wanted.isEmpty()) {
                parts.store().compareAndRemove(encoded, stamp, budget);
            } else if (!wanted.get().isUnchanged()) {
                parts.store().compareAndExpire(encoded, stamp, wanted.get(), budget);
            }
        } catch (KeyslotException e) {
            LOG.debug("Cache {}: an entry was read, but its expiry was not changed", parts.name(), e);
        }
    }

    private boolean answersByLoader(KeyslotException failure) {
        return switch (parts.missingPartition()) {
            case LOADER -> true;
            case MISS -> false;
            case FAIL -> throw failure;
        };
    }

    private @Nullable V loadAndStore(K key) {
        V loaded = parts.loader().load(key);
        if (loaded != null) {
            storeLoaded(key, loaded);
        }
        return loaded;
    }

    /** Stores a loaded value unless there is an entry by now. The caller has its value, whether or not it is stored. */
    private void storeLoaded(K key, V loaded) {
        try {
            parts.expiry().onCreation().ifPresent(expiry -> changes.add(key, loaded, expiry));
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            LOG.debug("Cache {}: a value was loaded, but not stored", parts.name(), e);
        }
    }

    /** Returns whether there is an entry. */
    boolean containsKey(K key) {
        EncodedKey encoded = parts.encode(key);
        return parts.store()
                .get(encoded, Expiry.UNCHANGED, parts.budget())
                .orThrow()
                .isPresent();
    }

    /** Returns the values, those that are missing loaded if the cache reads through. */
    Map<K, V> getAll(Set<? extends K> wanted) {
        parts.checkBatch(wanted.size());
        List<K> keys = new ArrayList<>(wanted);
        List<EncodedKey> encoded = parts.encodeAll(keys);
        CallBudget budget = parts.budgetFor(keys.size());
        List<Answer<V>> answers = parts.store().getAll(encoded, budget);
        Map<K, V> found = new LinkedHashMap<>();
        Set<K> missing = new LinkedHashSet<>();
        Map<K, KeyslotException> failed = new LinkedHashMap<>();
        List<Command.CompareAndExpire> touched = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Answer<V> answer = answers.get(i);
            KeyslotException failure = answer.failure();
            V value = answer.value();
            if (failure != null) {
                failed.put(keys.get(i), failure);
            } else if (value == null) {
                missing.add(keys.get(i));
            } else {
                found.put(keys.get(i), value);
                touch(encoded.get(i), answer, budget, touched);
            }
        }
        parts.store().expireAll(touched, budget);
        parts.counters().hits(found.size());
        parts.counters().misses(missing.size() + failed.size());
        Set<K> toLoad = toLoad(missing, failed);
        Map<K, V> loaded = toLoad.isEmpty() ? Map.of() : parts.loader().loadAll(toLoad);
        found.putAll(loaded);
        loaded.keySet().removeAll(failed.keySet());
        storeAllLoaded(loaded);
        return found;
    }

    private void touch(
            EncodedKey encoded, Answer<V> answer, CallBudget budget, List<Command.CompareAndExpire> touched) {
        Optional<Expiry> wanted = parts.expiry().onAccess();
        if (wanted.isEmpty()) {
            touch(encoded, answer.stamp(), wanted, budget);
        } else if (!wanted.get().isUnchanged()) {
            touched.add(new Command.CompareAndExpire(encoded, answer.stamp(), wanted.get()));
        }
    }

    /** Stores loaded values where there are no entries by now. */
    void storeAllLoaded(Map<K, V> loaded) {
        if (!changes.mayBeBlind(parts.expiry())) {
            loaded.forEach(this::storeLoaded);
            return;
        }
        List<Command.CompareAndSet> adds = new ArrayList<>(loaded.size());
        loaded.forEach((key, value) -> adds.add(new Command.CompareAndSet(
                parts.encode(key),
                Command.ABSENT,
                parts.store().encode(value),
                parts.expiry().onCreation().orElseThrow())));
        parts.store().addAll(adds, parts.budgetFor(adds.size()));
    }

    private Set<K> toLoad(Set<K> missing, Map<K, KeyslotException> failed) {
        Set<K> toLoad = new LinkedHashSet<>();
        if (parts.loader().isOnRead()) {
            toLoad.addAll(missing);
        }
        if (!failed.isEmpty() && answersByLoader(parts.failures().ofBulk("getAll", failed))) {
            toLoad.addAll(failed.keySet());
        }
        return toLoad;
    }
}
