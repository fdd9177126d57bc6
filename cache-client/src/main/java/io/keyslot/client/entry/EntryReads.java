// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;

/**
 * Plain reads of entries, which near entries and replicas may answer. A change reads from {@link EntryStore}.
 * Thread-safe.
 */
public interface EntryReads<V> {
    /**
     * Returns the entry. If {@code access}, its new expiry, is not {@code UNCHANGED}, the owner of the slot answers.
     */
    Answer<V> get(EncodedKey key, Expiry access, CallBudget budget);

    List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget);
}
