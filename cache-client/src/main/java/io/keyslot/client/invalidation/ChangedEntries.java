// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

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
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache as others have left them. Safe for use by several threads.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class ChangedEntries<K, V> {
    /** Who changes the entries in this process waits as long. */
    private static final Duration LONGEST_READ = Duration.ofMillis(250);

    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final KeyedQueues queues;
    private final StampSource stamps;

    public ChangedEntries(CacheCalls<K> calls, EntryStore<V> store, KeyedQueues queues, StampSource stamps) {
        this.calls = calls;
        this.store = store;
        this.queues = queues;
        this.stamps = stamps;
    }

    /** What is there, and whether it is to be told. */
    enum Finding {
        /** Somebody else has stored this value. */
        VALUE,
        /** There is none. */
        NOTHING,
        /** There is a value of this process. */
        OWN,
        /** Somebody is about to store a value. When that is over, the key will be told again. */
        PASSING,
        /** It could not be read, or this process changes it at the moment. */
        UNKNOWN
    }

    /**
     * An entry that was read.
     *
     * @param stamp of the value, {@link Command#ABSENT} if there is none
     */
    record Left<V>(Finding finding, @Nullable V value, long stamp) {
        private static <V> Left<V> of(Finding finding) {
            return new Left<>(finding, null, Command.ABSENT);
        }
    }

    /** Is told of an entry during the turn of its key: no other thread of this process changes it meanwhile. */
    @FunctionalInterface
    interface Receiver<V> {
        void found(EncodedKey key, Left<V> left);
    }

    /** Returns the name of the cache. */
    String cacheName() {
        return calls.name();
    }

    EncodedKey encode(K key) {
        return calls.encode(key);
    }

    /** Returns the application's form of a key, null if it is not one of this cache. */
    @Nullable
    K decode(EncodedKey key) {
        return calls.decodeOrNull(key);
    }

    /** Returns whether a partition has what is stored under a key, and so is the one to tell of it. */
    boolean isOwner(PartitionId partition, EncodedKey key) {
        Optional<PartitionId> owner = store.ownerOf(key);
        return owner.isPresent() && owner.get().equals(partition);
    }

    /**
     * Reads entries, and tells what was found. A change that this process makes of an entry comes before, with all that listeners
     * are told of it, or behind.
     */
    void read(List<EncodedKey> keys, Receiver<V> receiver) {
        List<KeyedQueues.Standing> turns = new ArrayList<>(keys.size());
        try {
            List<EncodedKey> free = new ArrayList<>(keys.size());
            for (EncodedKey key : keys) {
                KeyedQueues.Standing turn = queues.enterIfFree(key);
                if (turn == null) {
                    receiver.found(key, Left.of(Finding.UNKNOWN));
                } else {
                    turns.add(turn);
                    free.add(key);
                }
            }
            List<Answer<V>> answers = store.getAll(free, new CallBudget("listen", calls.ticker(), LONGEST_READ));
            for (int i = 0; i < free.size(); i++) {
                receiver.found(free.get(i), left(answers.get(i)));
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
