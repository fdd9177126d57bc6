// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.Deadline;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
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

    /** How long a transaction may lose against others; one of them always wins. */
    static final Duration LONGEST_CONTENTION = Duration.ofSeconds(5);

    /** Work that takes seconds is attempted this often all the same. */
    static final int FEWEST_ATTEMPTS = 10;

    /** The longest pause after the first conflict; it doubles with each further one. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

    private static final int MOST_DOUBLINGS = 4;

    private final GroupParts parts;
    private final Supplier<PartitionId> partition;
    private final OutcomeResolution resolution;

    /** @param partition gives that of the group, as it is now */
    GroupTransactions(GroupParts parts, Supplier<PartitionId> partition) {
        this.parts = parts;
        this.partition = partition;
        this.resolution = new OutcomeResolution(parts.calls(), parts.keys(), parts.waiter());
    }

    /** @param operation the method that the application called */
    <T extends @Nullable Object> T transact(String operation, GroupWork<T> work) {
        return transact(operation, work, ANY_TOKEN);
    }

    <T extends @Nullable Object> T invoke(GroupProcessor<T> processor, Object... arguments) {
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

    /** @param token that the group's lock must have */
    <T extends @Nullable Object> T transact(String operation, GroupWork<T> work, long token) {
        return parts.transactions()
                .alone(
                        root(),
                        () -> parts.queues()
                                .inTurn(parts.keys().home().stamps(), () -> untilApplied(operation, work, token)));
    }

    private <T extends @Nullable Object> T untilApplied(String operation, GroupWork<T> work, long token) {
        Deadline patience = Deadline.after(parts.timing().ticker(), LONGEST_CONTENTION);
        List<GroupStep> needed = List.of();
        CallBudget budget = parts.budget(operation);
        for (int attempt = 1; ; attempt++) {
            TransactionRun run = begin(budget, token);
            Progress progress;
            try {
                run.readAgain(needed);
                T result = run(work, run);
                progress = commit(run, budget);
                if (progress == Progress.APPLIED) {
                    return result;
                }
            } catch (Conflict conflict) {
                progress = Progress.CONFLICT;
            }
            needed = run.reads();
            if (progress == Progress.CONFLICT) {
                giveWay(operation, patience, attempt);
                // A run that came too late for others was answered in time: the next one has all of it again.
                budget = parts.budget(operation);
            }
        }
    }

    private TransactionRun begin(CallBudget budget, long token) {
        TransactionMeter meter = new TransactionMeter(root(), parts.groupLimits());
        return new TransactionRun(
                parts.calls(),
                parts.keys(),
                meter,
                budget,
                token,
                parts.stamps().next());
    }

    private <T extends @Nullable Object> T run(GroupWork<T> work, TransactionRun run) {
        try {
            T result = work.apply(new TransactionView(parts, run, partition));
            run.requireWhole();
            return result;
        } catch (RuntimeException e) {
            run.requireWhole(); // why the work could not go on comes before what it has made of that
            throw e;
        } finally {
            run.end();
        }
    }

    private Progress commit(TransactionRun run, CallBudget budget) {
        if (!run.isChange()) {
            return Progress.APPLIED;
        }
        Reply<GroupReply> reply = parts.calls().ask(run.commit(), budget);
        if (reply instanceof Reply.Unknown<GroupReply> unknown) {
            return resolved(run, unknown, budget);
        }
        if (reply instanceof Reply.Refused<GroupReply> refused) {
            throw parts.calls().refused(budget.operation(), refused);
        }
        GroupReply answer = ((Reply.Done<GroupReply>) reply).value();
        if (answer instanceof GroupReply.Conflict) {
            return Progress.CONFLICT;
        }
        if (answer instanceof GroupReply.Applied) {
            run.arrivals().forEach(parts.takers()::arrived);
            return Progress.APPLIED;
        }
        throw parts.calls().notApplied(budget.operation(), run.nameOf(answer), answer);
    }

    private Progress resolved(TransactionRun run, Reply.Unknown<GroupReply> unknown, CallBudget budget) {
        return switch (resolution.of(run, budget)) {
            case APPLIED -> Progress.APPLIED;
            case NOT_APPLIED -> Progress.LOST;
            case UNKNOWN -> throw parts.calls().unknown(budget.operation(), false, unknown);
        };
    }

    /** Lets others finish; a short time by chance, so that two that meet do not meet again. */
    private void giveWay(String operation, Deadline patience, int attempt) {
        if (patience.isOver() && attempt >= FEWEST_ATTEMPTS) {
            throw new CacheOverloadedException(
                    "Group %s: %s was not done: others changed what it had read in each of %d attempts; repeat it later, or let fewer processes change this group"
                            .formatted(root(), operation, attempt));
        }
        Duration longest = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, MOST_DOUBLINGS));
        parts.waiter().pause(Duration.ofNanos(parts.timing().upTo(longest)));
    }

    private String root() {
        return parts.keys().root().text();
    }

    /** What an attempt has come to. */
    private enum Progress {
        APPLIED,
        /** Others were faster. */
        CONFLICT,
        /** The commit was lost on the way: it was not applied, and there is what is left of the time for another. */
        LOST
    }
}
