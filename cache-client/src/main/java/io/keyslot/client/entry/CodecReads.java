// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;

/** Reads that partitions answer, decoded. */
record CodecReads<V>(PartitionCalls partitions, ReadSender sender, Answers<V> answers) implements EntryReads<V> {
    @Override
    public Answer<V> get(EncodedKey key, Expiry access, CallBudget budget) {
        return answers.of(
                key,
                access.isUnchanged()
                        ? partitions.read(sender, key, budget)
                        : partitions.ask(key, new Command.GetAndExpire(key, access), budget),
                budget);
    }

    @Override
    public List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget) {
        return answers.ofAll(keys, partitions.readAll(sender, keys, budget), budget);
    }
}
