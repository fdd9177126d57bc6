// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.TransactionRows;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.group.TransactionRun.Conflict;
import io.keyslot.client.group.TransactionValues.TransactionEntries;
import io.keyslot.client.partition.GroupStep;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one group: runs the work, and commits if nothing that it has read has changed; otherwise runs it
 * again. Transactions of threads in this process are serialized, so conflicts come from other processes only. A
 * repeated run first reads, in one step, everything that the previous run needed, so a transaction with many reads does
 * not starve under frequent small changes. Safe for use by several threads.
 */
record GroupTransactions(
        GroupForms forms,
        GroupCalls calls,
        RunningTransactions running,
        TransactionCommit commit,
        Supplier<Contention> contentions) {
    /** The token if the group's lock does not matter. */
    static final long ANY_TOKEN = 0;

    void requireNone(String operation) {
        running.requireNone(calls.keys(), operation);
    }

    /** Runs the work until its changes are committed, or fails; {@code operation} is the called method. */
    <T extends @Nullable Object> T transact(String operation, GroupWork<T> work) {
        return transact(operation, work, ANY_TOKEN);
    }

    /** Does the same under the group's lock, which must have the given token. */
    <T extends @Nullable Object> T transact(String operation, GroupWork<T> work, long token) {
        forms.caches().checkOpen();
        return running.inTurn(calls.keys(), () -> untilApplied(operation, work, token));
    }

    private <T extends @Nullable Object> T untilApplied(String operation, GroupWork<T> work, long token) {
        Contention contention = contentions.get();
        List<GroupStep> needed = List.of();
        CallBudget budget = calls.budget(operation);
        while (true) {
            TransactionRun run = running.begin(calls, budget, token);
            TransactionCommit.Progress progress;
            try (CallScope attempt = contention.attempt(run.readSet()::knows)) {
                run.readAgain(needed);
                T result = run(work, run);
                progress = commit.of(run, budget);
                if (progress == TransactionCommit.Progress.APPLIED) {
                    return result;
                }
            } catch (Conflict conflict) {
                progress = TransactionCommit.Progress.CONFLICT;
            }
            needed = run.reads();
            if (progress == TransactionCommit.Progress.CONFLICT) {
                if (!contention.lost() || !contention.pause()) {
                    throw contention.failure(operation);
                }
                // After a conflict, the next run has a new budget; after a lost commit it keeps the old one.
                budget = calls.budget(operation);
            }
        }
    }

    private <T extends @Nullable Object> T run(GroupWork<T> work, TransactionRun run) {
        try {
            T result = work.apply(new TransactionView(forms, calls, run));
            run.requireWhole();
            return result;
        } catch (RuntimeException e) {
            run.requireWhole(); // the reason why the work failed precedes its own exception
            throw e;
        } finally {
            run.end();
        }
    }

    /** The transaction that is passed to its work during one run. */
    private static final class TransactionView extends AggregateHandles implements GroupTransaction {
        private final TransactionRun run;

        TransactionView(GroupForms forms, GroupCalls calls, TransactionRun run) {
            super(forms, new TransactionAccess(run, calls));
            this.run = run;
        }

        @Override
        public <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache) {
            run.begin();
            GroupedCache<K, V> grouped = forms.caches().of(Objects.requireNonNull(cache, "cache"));
            return new TransactionEntries<>(forms.keys(), grouped, new TransactionValues<>(run, grouped));
        }

        @Override
        public <V> TransactionRows<V> rows(String type, Class<V> valueClass) {
            run.begin();
            return new TransactionValues.Rows<>(
                    forms.keys(), type, new TransactionValues<>(run, forms.ofRows(type, valueClass)));
        }
    }

    /**
     * The running transactions of one manager. Serializes those of a group, so that conflicts come from other processes
     * only, and refuses operations that would not be part of a transaction. Safe for use by several threads.
     */
    static final class RunningTransactions {
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private final KeyedQueues queues;
        private final StampSource stamps;

        RunningTransactions(KeyedQueues queues, StampSource stamps) {
            this.queues = queues;
            this.stamps = stamps;
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
            return new TransactionRun(calls, budget, token, stamps.next());
        }
    }
}
