// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.partition.GroupStep;
import java.util.List;
import java.util.function.Supplier;
import javax.cache.processor.EntryProcessorException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one group: runs the work, applies what it has recorded if nothing that it has read has changed since,
 * and otherwise runs it again.
 *
 * <ul>
 *   <li>Threads of this process take turns, so that conflicts come from other processes only.
 *   <li>The second run begins by reading, in one step, all that the first has needed. So work that reads a lot is not
 *       overtaken for ever by others that write a little.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
final class GroupTransactions {
    /** The token for whatever the group's lock is. */
    static final long ANY_TOKEN = 0;

    private final GroupForms forms;
    private final GroupCalls calls;
    private final RunningTransactions running;
    private final TransactionCommit commit;
    private final Supplier<Contention> contentions;

    /** @param contentions gives the bound of one transaction */
    public GroupTransactions(
            GroupForms forms,
            GroupCalls calls,
            RunningTransactions running,
            OutcomeResolution resolution,
            Supplier<Contention> contentions) {
        this.forms = forms;
        this.calls = calls;
        this.running = running;
        this.commit = new TransactionCommit(calls, resolution);
        this.contentions = contentions;
    }

    /**
     * Refuses what is not for use in a transaction.
     *
     * @throws IllegalStateException if this thread is in one
     */
    public void requireNone(String operation) {
        running.requireNone(calls.keys(), operation);
    }

    /**
     * Runs the work until what it does is applied, or cannot be.
     *
     * @param operation the method that the application called
     */
    public <T extends @Nullable Object> T transact(String operation, GroupWork<T> work) {
        return transact(operation, work, ANY_TOKEN);
    }

    public <T extends @Nullable Object> T invoke(GroupProcessor<T> processor, Object... arguments) {
        return transact("invoke", transaction -> process(processor, transaction, arguments));
    }

    private static <T extends @Nullable Object> T process(
            GroupProcessor<T> processor, GroupTransaction transaction, Object... arguments) {
        try {
            return processor.process(transaction, arguments);
        } catch (EntryProcessorException | Conflict e) {
            throw e;
        } catch (RuntimeException e) {
            throw new EntryProcessorException("The group processor failed: " + e, e);
        }
    }

    /**
     * As {@link #transact(String, GroupWork)}, under the group's lock.
     *
     * @param token that the lock must have
     */
    public <T extends @Nullable Object> T transact(String operation, GroupWork<T> work, long token) {
        forms.checkOpen();
        return running.inTurn(calls.keys(), () -> untilApplied(operation, work, token));
    }

    private <T extends @Nullable Object> T untilApplied(String operation, GroupWork<T> work, long token) {
        Contention contention = contentions.get();
        List<GroupStep> needed = List.of();
        CallBudget budget = calls.budgets().of(operation);
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
                // A run that came too late for others was answered in time: the next one has all of it again.
                budget = calls.budgets().of(operation);
            }
        }
    }

    private <T extends @Nullable Object> T run(GroupWork<T> work, TransactionRun run) {
        try {
            T result = work.apply(new TransactionView(forms, calls, run));
            run.requireWhole();
            return result;
        } catch (RuntimeException e) {
            run.requireWhole(); // why the work could not go on comes before what it has made of that
            throw e;
        } finally {
            run.end();
        }
    }
}
