// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallerContext;
import io.keyslot.client.concurrent.WorkPool;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import javax.cache.CacheException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads many entries on the manager's pool, and calls a listener once when all are loaded or one failed. */
public record AsyncLoads<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        Loads<K, V> loads,
        BoundedLoader<K, V> loader,
        WorkPool pool,
        CallerContext context) {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncLoads.class);

    public void loadAll(Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
        calls.checkBatch(keys.size());
        Set<K> copy = new LinkedHashSet<>(keys);
        calls.encodeAll(copy);
        try {
            pool.execute(
                    context.carryTask(() -> loadAndPublish(copy, replaceExisting, listener)),
                    () -> reportFailure(late(), listener));
        } catch (RejectedExecutionException e) {
            throw new CacheOverloadedException(
                    "Cache %s: loadAll was not started, the pool is full; raise async.threads".formatted(calls.name()),
                    e);
        }
    }

    private CacheOverloadedException late() {
        return new CacheOverloadedException(
                "Cache %s: loadAll was not started, no thread of the pool was free in time; raise async.threads"
                        .formatted(calls.name()));
    }

    private void loadAndPublish(Set<K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
        try {
            load(keys, replaceExisting);
        } catch (RuntimeException e) {
            reportFailure(e, listener);
            return;
        } catch (Error e) {
            reportFailure(e, listener); // otherwise a thread that waits for the listener would wait forever
            throw e;
        }
        if (listener != null) {
            listener.onCompletion();
        }
    }

    private void reportFailure(Throwable failure, @Nullable CompletionListener listener) {
        if (listener == null) {
            LOG.warn("Cache {}: loadAll failed, and it has no completion listener", calls.name(), failure);
        } else if (failure instanceof CacheException known) {
            listener.onException(known);
        } else {
            listener.onException(new CacheException("Cache %s: loadAll failed".formatted(calls.name()), failure));
        }
    }

    private void load(Set<K> keys, boolean replaceExisting) {
        if (!loader.hasLoader()) {
            return;
        }
        List<K> wanted = new ArrayList<>(keys);
        List<EncodedKey> encoded = calls.encodeAll(wanted);
        CallBudget budget = calls.budgetFor("loadAll", wanted.size());
        List<Answer<V>> answers = store.getAll(encoded, budget);
        List<Loads.Wanted<K, V>> loaded = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            Answer<V> answer = answers.get(i).orThrow();
            if (replaceExisting || !answer.isPresent()) {
                loaded.add(new Loads.Wanted<>(wanted.get(i), encoded.get(i), answer));
            }
        }
        loads.loadOrThrow(loaded, budget);
    }
}
