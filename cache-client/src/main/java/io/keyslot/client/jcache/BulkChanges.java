// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.event.CacheEntryListenerException;
import org.jspecify.annotations.Nullable;

/**
 * Changes many entries. Not atomic: each entry is changed on its own, and what was done stays done when others fail. The
 * exception names the keys that failed.
 */
final class BulkChanges<K, V> {
    private final CacheParts<K, V> parts;
    private final Changes<K, V> changes;
    private final FailedWrites<K, V> failed;

    BulkChanges(CacheParts<K, V> parts, Changes<K, V> changes, FailedWrites<K, V> failed) {
        this.parts = parts;
        this.changes = changes;
        this.failed = failed;
    }

    /** Stores entries, by the writer first. */
    void putAll(Map<? extends K, ? extends V> map, ExpiryRules expiry) {
        parts.checkBatch(map.size());
        if (changes.mayBeBlind(expiry)) {
            putAllBlind(map, expiry);
            return;
        }
        parts.encodeAll(map.keySet()); // what is over a limit is refused before anything is written
        map.values().forEach(parts.store()::encode);
        WriteThrough.Written<K> written = parts.writer().writeAll(map);
        Outcome outcome = new Outcome(written.done().size());
        for (K key : written.done()) {
            V value = Objects.requireNonNull(map.get(key));
            outcome.attempt(key, () -> changes.change("putAll", key, expiry, current -> Step.setWritten(value, true)));
        }
        outcome.forgetFailed();
        outcome.throwFailures("putAll");
        written.throwFailure();
    }

    private void putAllBlind(Map<? extends K, ? extends V> map, ExpiryRules expiry) {
        Map<K, Command.Put> puts = new LinkedHashMap<>();
        map.forEach((key, value) -> puts.put(key, changes.encodePut(parts.encode(key), value, expiry)));
        WriteThrough.Written<K> written = parts.writer().writeAll(map);
        puts.keySet().retainAll(written.done());
        CallBudget budget = parts.budgetFor(puts.size());
        List<@Nullable KeyslotException> problems = parts.store().putAll(new ArrayList<>(puts.values()), budget);
        Outcome outcome = new Outcome(puts.size());
        outcome.add(puts.keySet(), problems);
        parts.counters().puts(outcome.done());
        outcome.forgetFailed();
        outcome.throwFailures("putAll");
        written.throwFailure();
    }

    /** Removes entries, by the writer first. */
    void removeAll(Set<? extends K> keys) {
        parts.checkBatch(keys.size());
        removePage(keys);
    }

    private void removePage(Set<? extends K> keys) {
        if (keys.isEmpty()) {
            return;
        }
        parts.encodeAll(keys);
        WriteThrough.Written<K> written = parts.writer().deleteAll(keys);
        List<K> done = new ArrayList<>(written.done());
        Outcome outcome = new Outcome(done.size());
        if (parts.events().isEmpty()) {
            List<EncodedKey> encoded = parts.encodeAll(done);
            List<Answer<V>> removed = parts.store().getAndRemoveAll(encoded, parts.budgetFor(done.size()));
            List<@Nullable KeyslotException> problems = new ArrayList<>();
            removed.forEach(answer -> problems.add(answer.failure()));
            outcome.add(done, problems);
            parts.counters().removals(removed.stream().filter(Answer::isPresent).count());
        } else {
            done.forEach(key -> outcome.attempt(key, () -> parts.counters().removals(remove(key))));
        }
        outcome.forgetFailed();
        outcome.throwFailures("removeAll");
        written.throwFailure();
    }

    private int remove(K key) {
        return changes.change(
                "removeAll", key, parts.expiry(), current -> Step.removeWritten(current.isPresent() ? 1 : 0));
    }

    /** Removes all entries of all partitions, by the writer first. */
    void removeAll() {
        parts.scan().forEachPage(page -> {
            Set<K> keys = new LinkedHashSet<>();
            List<EncodedKey> foreign = new ArrayList<>();
            for (EncodedKey encoded : page) {
                K key = parts.decodeOrNull(encoded);
                if (key == null) {
                    foreign.add(encoded);
                } else {
                    keys.add(key);
                }
            }
            removeSilently(foreign);
            removePage(keys);
        });
    }

    /** Removes all entries of all partitions, and tells nobody. */
    void clear() {
        parts.scan().forEachPage(this::removeSilently);
    }

    private void removeSilently(List<EncodedKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<@Nullable KeyslotException> problems = parts.store().removeAll(keys, parts.budgetFor(keys.size()));
        Outcome outcome = new Outcome(keys.size());
        outcome.add(keys, problems);
        outcome.throwFailures("clear");
    }

    /** Collects what failed while the rest goes on. */
    private final class Outcome {
        private final int size;
        private final Map<Object, KeyslotException> failures = new LinkedHashMap<>();
        private @Nullable CacheEntryListenerException listenerFailure;

        Outcome(int size) {
            this.size = size;
        }

        void attempt(K key, Runnable change) {
            try {
                change.run();
            } catch (KeyslotException e) {
                failures.put(key, e);
            } catch (CacheEntryListenerException e) {
                if (listenerFailure == null) {
                    listenerFailure = e;
                }
            }
        }

        void add(Iterable<?> keys, List<@Nullable KeyslotException> problems) {
            int i = 0;
            for (Object key : keys) {
                KeyslotException problem = problems.get(i++);
                if (problem != null) {
                    failures.put(key, problem);
                }
            }
        }

        int done() {
            return size - failures.size();
        }

        /** Has copies deleted that are out of date; if the policy is to go on, that is all. */
        @SuppressWarnings("unchecked") // of putAll and removeAll: the keys are the caller's
        void forgetFailed() {
            if (failures.isEmpty()) {
                return;
            }
            List<EncodedKey> keys = parts.encodeAll((Set<K>) (Set<?>) failures.keySet());
            if (failed.areJournaled()) {
                parts.store().forget(keys);
                failures.clear();
            } else {
                failed.forgetWritten(keys);
            }
        }

        void throwFailures(String operation) {
            if (!failures.isEmpty()) {
                throw parts.failures().ofBulk(operation, failures);
            }
            if (listenerFailure != null) {
                throw listenerFailure;
            }
        }
    }
}
