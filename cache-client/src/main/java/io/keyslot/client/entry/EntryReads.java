// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.time.CallBudget;
import java.util.List;

/**
 * Reads of entries that change nothing and decide nothing: a copy may answer them. What is to be changed is read by
 * {@link EntryStore#get}. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class EntryReads<V> {
    private final PartitionCalls partitions;
    private final ReadSender sender;
    private final Answers<V> answers;

    EntryReads(PartitionCalls partitions, ReadSender sender, Answers<V> answers) {
        this.partitions = partitions;
        this.sender = sender;
        this.answers = answers;
    }

    /** Returns what is known of the entry. */
    public Answer<V> get(EncodedKey key, CallBudget budget) {
        return answers.of(key, partitions.read(sender, key, budget), budget);
    }

    /** Returns what is known of the entries, in the order of the keys. */
    public List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget) {
        return answers.ofAll(keys, partitions.readAll(sender, keys, budget), budget);
    }
}
