// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What partitions have listed, as entries of the application. Those whose keys it cannot read are passed over, with one
 * warning. For use by one thread.
 */
final class ListedEntries<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(ListedEntries.class);

    private final CacheCalls<K> calls;
    private final KeySlots slots;
    private final String passing;
    private boolean saidUnreadable;

    /**
     * @param slots says where an entry is
     * @param passing who passes over which entries, for the warning
     */
    ListedEntries(CacheCalls<K> calls, KeySlots slots, String passing) {
        this.calls = calls;
        this.slots = slots;
        this.passing = passing;
    }

    /** Returns the entry, null if there is none or its key is of another version of its class, or of one that is not allowed. */
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

    /** Returns why the first of the answers that is none is none, null if all are. */
    static @Nullable KeyslotException failureOf(List<? extends Answer<?>> answers) {
        return answers.stream()
                .map(Answer::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
