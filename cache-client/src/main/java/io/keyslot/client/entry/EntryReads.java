// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;

/**
 * Reads of entries that decide nothing: a copy may answer them. What is to be changed is read by {@link EntryStore#get}. Safe
 * for use by several threads.
 *
 * @param <V> the type of the values
 */
public interface EntryReads<V> {
    /**
     * Returns what is known of the entry.
     *
     * @param access when it expires from now on, {@code UNCHANGED} for when it would have; another expiry is set by the owner of
     *     the slot, which then answers
     */
    Answer<V> get(EncodedKey key, Expiry access, CallBudget budget);

    /** Returns what is known of the entries, in the order of the keys. */
    List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget);
}
