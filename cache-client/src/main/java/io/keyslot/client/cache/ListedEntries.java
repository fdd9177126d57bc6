// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.PartitionedEntry;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.Unwrap;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts listed entries. Those whose keys cannot be decoded are skipped, with one warning. For use by one thread. */
final class ListedEntries<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(ListedEntries.class);

    private final CacheCalls<K> calls;
    private final KeySlots slots;
    private final String passing;
    private boolean saidUnreadable;

    ListedEntries(CacheCalls<K> calls, KeySlots slots, String passing) {
        this.calls = calls;
        this.slots = slots;
        this.passing = passing;
    }

    /** Returns the entry, or null if there is none or its key cannot be decoded. */
    @Nullable
    StoredEntry<K, V> entryOf(EncodedKey stored, Answer<V> answer) {
        V value = answer.value();
        if (value == null) {
            return null;
        }
        try {
            return new StoredEntry<>(calls.decode(stored), value, stored.text(), slots.slotOf(stored), answer.stamp());
        } catch (RuntimeException e) {
            if (!saidUnreadable) {
                saidUnreadable = true;
                LOG.warn(
                        "Cache {}: {} whose keys it cannot read, the first because: {}",
                        calls.name(),
                        passing,
                        e.getMessage());
            }
            return null;
        }
    }

    static @Nullable KeyslotException failureOf(List<? extends Answer<?>> answers) {
        return answers.stream()
                .map(Answer::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** An entry that an iterator or a scan found. */
    record StoredEntry<K, V>(K key, V value, String entityKey, int slot, long stamp) implements PartitionedEntry<K, V> {
        @Override
        public K getKey() {
            return key;
        }

        @Override
        public V getValue() {
            return value;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return Unwrap.as(this, type);
        }
    }
}
