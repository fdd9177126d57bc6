// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads entries of one cache that other clients have changed. Thread-safe. */
public record ChangedEntries<K, V>(CacheCalls<K> calls, EntryStore<V> store, KeyedQueues queues, StampSource stamps) {
    /** Threads of this process that change the entries wait as long. */
    private static final Duration LONGEST_READ = Duration.ofMillis(250);

    /** The state of an entry, and whether to publish it. */
    enum Finding {
        /** A value of another process. */
        VALUE,
        /** No value. */
        NOTHING,
        /** A value of this process. */
        OWN,
        /** Another process is about to store a value; the key will be reported again. */
        PASSING,
        /** The read failed, or this process is changing the entry. */
        UNKNOWN
    }

    record Left<V>(Finding finding, @Nullable V value, long stamp) {
        private static <V> Left<V> of(Finding finding) {
            return new Left<>(finding, null, Command.ABSENT);
        }
    }

    boolean isOwner(PartitionId partition, EncodedKey key) {
        Optional<PartitionId> owner = store.calls().router().ownerOf(key);
        return owner.isPresent() && owner.get().equals(partition);
    }

    /**
     * Reads entries and passes each to the receiver while the lock of its key is held: a change by this process,
     * including all its events, is ordered either before or after.
     */
    void read(List<EncodedKey> keys, BiConsumer<EncodedKey, Left<V>> receiver) {
        List<KeyedQueues.Standing> turns = new ArrayList<>(keys.size());
        try {
            List<EncodedKey> free = new ArrayList<>(keys.size());
            for (EncodedKey key : keys) {
                KeyedQueues.Standing turn = queues.enterIfFree(key);
                if (turn == null) {
                    receiver.accept(key, Left.of(Finding.UNKNOWN));
                } else {
                    turns.add(turn);
                    free.add(key);
                }
            }
            List<Answer<V>> answers = store.getAll(free, new CallBudget("listen", calls.ticker(), LONGEST_READ));
            for (int i = 0; i < free.size(); i++) {
                receiver.accept(free.get(i), left(answers.get(i)));
            }
        } finally {
            turns.forEach(KeyedQueues.Standing::close);
        }
    }

    private Left<V> left(Answer<V> answer) {
        if (answer.isReserved()) {
            return Left.of(Finding.PASSING);
        }
        return switch (answer.kind()) {
            case FRESH ->
                stamps.isOwn(answer.stamp())
                        ? Left.of(Finding.OWN)
                        : new Left<>(Finding.VALUE, answer.value(), answer.stamp());
            case LEASED -> Left.of(Finding.PASSING);
            case STALE, ABSENT, NEGATIVE, OTHER_EPOCH, UNREADABLE -> Left.of(Finding.NOTHING);
            case UNKNOWN -> Left.of(Finding.UNKNOWN);
        };
    }
}
