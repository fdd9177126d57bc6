// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;

/** Records the application's reads and the causes of misses. Throws failures other than outages, unrecorded. */
record ObservedReads<V>(EntryReads<V> reads, ReadHistory history, EntryObserver observer) implements EntryReads<V> {
    @Override
    public Answer<V> get(EncodedKey key, Expiry access, CallBudget budget) {
        Answer<V> answer = reads.get(key, access, budget).knownOrMissing();
        history.read(key, answer, observer);
        return answer;
    }

    @Override
    public List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget) {
        List<Answer<V>> answers = reads.getAll(keys, budget);
        answers.forEach(Answer::knownOrMissing);
        history.readAll(keys, answers, observer);
        return answers;
    }
}
