// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.config.GroupLimits;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.StampSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The running transactions of one manager. Serializes those of a group, so that conflicts come from other processes
 * only, and refuses operations that would not be part of a transaction. Safe for use by several threads.
 */
final class RunningTransactions {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final KeyedQueues queues;
    private final StampSource stamps;
    private final GroupLimits limits;

    public RunningTransactions(KeyedQueues queues, StampSource stamps, GroupLimits limits) {
        this.queues = queues;
        this.stamps = stamps;
        this.limits = limits;
    }

    /** Runs a transaction after earlier ones of the group; throws if this thread is in one. */
    <T extends @Nullable Object> T inTurn(GroupKeys group, Supplier<T> transaction) {
        Thread thread = Thread.currentThread();
        if (!threads.add(thread)) {
            throw new IllegalStateException(
                    "Group %s: a transaction within the work of another is not part of it; do all in one, or one after the other"
                            .formatted(group.root().text()));
        }
        try {
            return queues.inTurn(group.home().stamps(), transaction);
        } finally {
            threads.remove(thread);
        }
    }

    void requireNone(GroupKeys group, String operation) {
        if (threads.contains(Thread.currentThread())) {
            throw new IllegalStateException("Group %s: %s is not for use in a transaction; use it before or after"
                    .formatted(group.root().text(), operation));
        }
    }

    TransactionRun begin(GroupCalls calls, CallBudget budget, long token) {
        return new TransactionRun(calls, limits, budget, token, stamps.next());
    }
}
