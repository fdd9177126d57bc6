// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryReads;
import io.keyslot.client.loading.LoadCause;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    private final Loading<K, V> loading;
    private final BulkLoading<K, V> bulkLoading;

    Reads(CacheParts<K, V> parts, Loading<K, V> loading, BulkLoading<K, V> bulkLoading) {
        this.parts = parts;
        this.loading = loading;
        this.bulkLoading = bulkLoading;
    }

    /** Returns the value, loaded if it is missing and the cache reads through; null if there is none. */
    @Nullable
    V get(K key) {
        return get(key, parts.store().reads());
    }

    /** As {@link #get(Object)}, from the copies of one partition if the cache is replicated. */
    @Nullable
    V getAt(PartitionId partition, K key) {
        return get(key, parts.store().at(partition));
    }

    private @Nullable V get(K key, EntryReads<V> reads) {
        EncodedKey encoded = parts.encode(key);
        CallBudget budget = parts.budget("get");
        Answer<V> answer = access(encoded, reads, budget).unlessInterrupted();
        parts.store().note(encoded, answer);
        V served = served(key, encoded, answer);
        parts.counters().lookup(served != null);
        if (served != null) {
            return served;
        }
        return isToBeLoaded(answer) ? loading.load(key, encoded, answer, budget) : null;
    }

    /** Returns the value if what was read may be served as it is, and has it loaded again if it is time for that. */
    private @Nullable V served(K key, EncodedKey encoded, Answer<V> answer) {
        if (answer.isPresent()) {
            long millisLeft = parts.lifetimes().millisLeft(answer);
            if (isRefreshedAhead() && millisLeft >= 0 && parts.loading().early().isDue(millisLeft)) {
                loading.refresh(key, encoded, answer);
            }
            return answer.value();
        }
        if (!parts.loader().isOnRead() || !parts.lifetimes().isServedWhileLoading(answer)) {
            return null;
        }
        loading.refresh(key, encoded, answer);
        parts.loading().observer().onStale(LoadCause.REFRESH);
        return answer.stored();
    }

    private boolean isRefreshedAhead() {
        return parts.loading().options().refreshAhead() && parts.loader().isOnRead();
    }

    /** Returns whether the loader is to be asked; throws if the partition cannot be asked and that is to be told. */
    private boolean isToBeLoaded(Answer<V> answer) {
        KeyslotException failure = answer.failure();
        if (failure != null) {
            return answersByLoader(failure);
        }
        return parts.loader().isOnRead() && answer.kind() != Answer.Kind.NEGATIVE;
    }

    /** Reads an entry, and lets it expire when the policy says. */
    private Answer<V> access(EncodedKey encoded, EntryReads<V> reads, CallBudget budget) {
        if (parts.expiry().isConstant()) {
            Expiry expiry = parts.expiry().onAccess().orElse(Expiry.UNCHANGED);
            return expiry.isUnchanged()
                    ? reads.get(encoded, budget)
                    : parts.store().get(encoded, expiry, budget);
        }
        Answer<V> answer = reads.get(encoded, budget);
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

    /** Returns whether there is an entry. */
    boolean containsKey(K key) {
        EncodedKey encoded = parts.encode(key);
        return parts.store()
                .get(encoded, Expiry.UNCHANGED, parts.budget("containsKey"))
                .orThrow()
                .isPresent();
    }

    /** Returns the values, those that are missing loaded if the cache reads through. */
    Map<K, V> getAll(Set<? extends K> wanted) {
        return getAll(wanted, parts.store().reads());
    }

    /** As {@link #getAll(Set)}, from the copies of one partition if the cache is replicated. */
    Map<K, V> getAllAt(PartitionId partition, Set<? extends K> wanted) {
        return getAll(wanted, parts.store().at(partition));
    }

    private Map<K, V> getAll(Set<? extends K> wanted, EntryReads<V> reads) {
        parts.checkBatch(wanted.size());
        List<K> keys = new ArrayList<>(wanted);
        List<EncodedKey> encoded = parts.encodeAll(keys);
        CallBudget budget = parts.budgetFor("getAll", keys.size());
        List<Answer<V>> answers = reads.getAll(encoded, budget);
        answers.forEach(Answer::unlessInterrupted);
        Map<K, V> found = new LinkedHashMap<>(2 * keys.size());
        List<BulkLoading.Wanted<K, V>> missing = new ArrayList<>();
        Map<K, KeyslotException> failed = new LinkedHashMap<>();
        List<Command.CompareAndExpire> touched = new ArrayList<>();
        boolean isTouched = parts.expiry().mayTouch();
        parts.store().noteAll(encoded, answers);
        for (int i = 0; i < keys.size(); i++) {
            K key = keys.get(i);
            Answer<V> answer = answers.get(i);
            V served = served(key, encoded.get(i), answer);
            if (served != null) {
                found.put(key, served);
                if (isTouched && answer.isPresent()) {
                    touch(encoded.get(i), answer, budget, touched);
                }
            } else if (answer.kind() != Answer.Kind.NEGATIVE) {
                missing.add(new BulkLoading.Wanted<>(key, encoded.get(i), answer));
                putIfFailed(failed, key, answer);
            }
        }
        parts.store().expireAll(touched, budget);
        parts.counters().hits(found.size());
        parts.counters().misses(keys.size() - found.size());
        if (!missing.isEmpty()) {
            found.putAll(bulkLoading.load(toLoad(missing, failed), budget));
        }
        return found;
    }

    private static <K> void putIfFailed(Map<K, KeyslotException> failed, K key, Answer<?> answer) {
        KeyslotException failure = answer.failure();
        if (failure != null) {
            failed.put(key, failure);
        }
    }

    private List<BulkLoading.Wanted<K, V>> toLoad(
            List<BulkLoading.Wanted<K, V>> missing, Map<K, KeyslotException> failed) {
        boolean loadsFailed =
                !failed.isEmpty() && answersByLoader(parts.failures().ofBulk("getAll", failed));
        return missing.stream()
                .filter(wanted ->
                        wanted.seen().failure() == null ? parts.loader().isOnRead() : loadsFailed)
                .toList();
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
}
