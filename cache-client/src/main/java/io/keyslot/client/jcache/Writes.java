// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.time.CallBudget;
import org.jspecify.annotations.Nullable;

/** Stores, replaces and removes single entries, and counts what was done. */
final class Writes<K, V> {
    private final CacheParts<K, V> parts;
    private final Changes<K, V> changes;
    private final WriterFirst<K, V> writerFirst;
    private final FailedWrites<K, V> failed;

    Writes(CacheParts<K, V> parts, Changes<K, V> changes, WriterFirst<K, V> writerFirst, FailedWrites<K, V> failed) {
        this.parts = parts;
        this.changes = changes;
        this.writerFirst = writerFirst;
        this.failed = failed;
    }

    void put(K key, V value, ExpiryRules expiry) {
        if (parts.writer().isFirst()) {
            writerFirst.change("put", key, value, expiry, failed.areJournaled());
            return;
        }
        try {
            if (changes.mayBeBlind(expiry)) {
                changes.putBlind(key, value, expiry);
            } else {
                if (failed.areJournaled()) {
                    parts.store().encode(value); // over a limit, it is refused though the partition may be missing
                }
                changes.change("put", key, expiry, current -> Step.set(value, true));
            }
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            failed.tell(key, value, e);
        }
    }

    boolean putIfAbsent(K key, V value, ExpiryRules expiry) {
        boolean isOneCommand = expiry.isConstant() && !parts.writer().isOn();
        boolean stored = isOneCommand
                ? add(key, value, expiry)
                : changes.change(
                        "putIfAbsent",
                        key,
                        expiry,
                        current -> current.isPresent() ? Step.keep(false) : Step.set(value, true));
        parts.counters().lookup(!stored);
        return stored;
    }

    private boolean add(K key, V value, ExpiryRules expiry) {
        CallBudget budget = parts.budget("putIfAbsent");
        if (changes.add(key, value, expiry.onCreation().orElseThrow(), budget)) {
            parts.counters().puts(1);
            return true;
        }
        // Bytes that cannot be read are no entry, nor is one whose time is over, but a partition does not know that.
        return changes.change(
                "putIfAbsent",
                key,
                expiry,
                current -> current.isPresent() ? Step.keep(false) : Step.set(value, true),
                budget);
    }

    @Nullable
    V getAndPut(K key, V value) {
        Answer<V> before = parts.writer().isFirst()
                ? writerFirst.change("getAndPut", key, value, parts.expiry(), false)
                : changes.change("getAndPut", key, parts.expiry(), current -> Step.set(value, current));
        parts.counters().lookup(before.isPresent());
        return before.value();
    }

    boolean replace(K key, V value) {
        return replaced("replace", key, value).isPresent();
    }

    @Nullable
    V getAndReplace(K key, V value) {
        return replaced("getAndReplace", key, value).value();
    }

    private Answer<V> replaced(String operation, K key, V value) {
        Answer<V> before = changes.change(
                operation,
                key,
                parts.expiry(),
                current -> current.isPresent() ? Step.set(value, current) : Step.keep(current));
        parts.counters().lookup(before.isPresent());
        return before;
    }

    boolean replace(K key, V oldValue, V newValue) {
        Comparison result = changes.change("replace", key, parts.expiry(), current -> {
            Comparison comparison = Comparison.of(current, oldValue);
            return switch (comparison) {
                case EQUAL -> Step.set(newValue, comparison);
                case OTHER -> Step.touch(comparison);
                case ABSENT -> Step.keep(comparison);
            };
        });
        parts.counters().lookup(result != Comparison.ABSENT);
        return result == Comparison.EQUAL;
    }

    boolean remove(K key, V oldValue) {
        Comparison result = changes.change("remove", key, parts.expiry(), current -> {
            Comparison comparison = Comparison.of(current, oldValue);
            return switch (comparison) {
                case EQUAL -> Step.remove(comparison);
                case OTHER -> Step.touch(comparison);
                case ABSENT -> Step.keep(comparison);
            };
        });
        parts.counters().lookup(result != Comparison.ABSENT);
        parts.counters().removals(result == Comparison.EQUAL ? 1 : 0);
        return result == Comparison.EQUAL;
    }

    boolean remove(K key) {
        if (parts.writer().isFirst()) {
            boolean wasThere = removed("remove", key, failed.areJournaled()).isPresent();
            parts.counters().removals(wasThere ? 1 : 0);
            return wasThere;
        }
        boolean removed;
        try {
            removed = removed("remove", key, failed.areJournaled()).isPresent();
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            failed.tell(key, null, e);
            removed = false; // nobody knows; false is what a cache that had evicted the entry would say
        }
        parts.counters().removals(removed ? 1 : 0);
        return removed;
    }

    @Nullable
    V getAndRemove(K key) {
        Answer<V> removed = removed("getAndRemove", key, false);
        parts.counters().lookup(removed.isPresent());
        parts.counters().removals(removed.isPresent() ? 1 : 0);
        return removed.value();
    }

    private Answer<V> removed(String operation, K key, boolean goesOn) {
        if (parts.writer().isFirst()) {
            return writerFirst.change(operation, key, null, parts.expiry(), goesOn);
        }
        EncodedKey encoded = parts.encode(key);
        if (parts.events().isEmpty()) {
            CallBudget budget = parts.budget(operation);
            return parts.writer()
                    .delete(key, encoded, budget)
                    .around(() -> parts.store().getAndRemove(encoded, budget).orThrow(), removed -> true);
        }
        return changes.change(operation, key, parts.expiry(), current -> Step.remove(current));
    }

    /** What an entry is, compared with the value that the caller expects: by {@code equals}, never by bytes. */
    private enum Comparison {
        EQUAL,
        OTHER,
        ABSENT;

        static <V> Comparison of(Answer<V> current, V expected) {
            if (!current.isPresent()) {
                return ABSENT;
            }
            return expected.equals(current.value()) ? EQUAL : OTHER;
        }
    }
}
