// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.Deadlines;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.GroupLimits;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.entry.KeyQueues;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.pool.AsyncCalls;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.Timing;
import io.keyslot.client.time.Waiter;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the operations of one group work with. All but the first two is the same for all groups of a manager. */
record GroupParts(
        GroupKeys keys,
        GroupCalls calls,
        GroupedCaches caches,
        ElementCodecs codecs,
        Takers takers,
        KeyQueues queues,
        StampSource stamps,
        EntryLimits limits,
        GroupLimits groupLimits,
        Deadlines deadlines,
        Timing timing,
        Waiter waiter,
        AsyncCalls calling,
        RunningTransactions transactions,
        HeldLocks locks) {

    /** @throws IllegalStateException if the manager is closed */
    void checkOpen() {
        caches.checkOpen();
    }

    /** @param operation the method that the application called */
    CallBudget budget(String operation) {
        return new CallBudget(operation, timing.ticker(), deadlines.call());
    }

    /** Returns a command that does one thing, whatever was there before. */
    Command.Group command(GroupStep step) {
        return new Command.Group(keys.home(), 0, List.of(), List.of(step), stamps.next());
    }

    /** Returns how exceptions begin that concern something in the group: the entity type says what. */
    String titleOf(EntityKey key) {
        return "Group %s: %s".formatted(keys.root().text(), key.type());
    }

    /** Returns what encodes elements of this class. */
    <E> ElementCoder<E> coder(EntityKey key, Class<E> type) {
        return new ElementCoder<>(titleOf(key), type, codecs.of(type), limits.valueBytes());
    }

    /**
     * Returns whether a bulk operation has anything to do.
     *
     * @throws LimitExceededException if it has more elements than the limit
     */
    boolean isBatch(String operation, int size) {
        if (size > limits.batchKeys()) {
            throw new LimitExceededException(
                    "Group %s: %s has %d elements, the limit is %d; split it, or raise limits.batchKeys"
                            .formatted(keys.root().text(), operation, size, limits.batchKeys()));
        }
        return size > 0;
    }

    <T extends @Nullable Object> CompletionStage<T> async(Supplier<T> operation) {
        checkOpen();
        return calling.call(operation);
    }
}
