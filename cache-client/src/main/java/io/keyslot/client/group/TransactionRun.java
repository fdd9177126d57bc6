// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.group.ReadSet.KnownAggregate;
import io.keyslot.client.group.ReadSet.KnownEntry;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a transaction's work: its reads, with stamps, and its recorded changes. Not thread-safe.
 *
 * <p>Every read expects that all previous reads are unchanged. So everything that a run has seen existed together at
 * the moment of its last read: the work never sees an inconsistent state, and a read-only run needs no commit. After a
 * failed read the run cannot be committed, even if the work catches the exception.
 */
final class TransactionRun {
    /** The maximum number of changes and first reads, because a transaction blocks the server. */
    static final int MOST_OPERATIONS = 1_000;

    /** The maximum bytes read and changed. */
    private static final long MOST_BYTES = 4L << 20;

    private final GroupCalls calls;
    private final CallBudget budget;
    private final long token;
    private final long stamp;
    private final Thread owner = Thread.currentThread();
    private final ReadSet readSet;
    private final List<GroupStep> steps = new ArrayList<>();
    private List<GroupStep> unread = List.of();
    private @Nullable RuntimeException failure;
    private boolean ended;
    private int operations;
    private long bytes;

    TransactionRun(GroupCalls calls, CallBudget budget, long token, long stamp) {
        this.calls = calls;
        this.budget = budget;
        this.token = token;
        this.stamp = stamp;
        this.readSet = new ReadSet(calls.keys().root().text(), stamp);
    }

    long stamp() {
        return stamp;
    }

    ReadSet readSet() {
        return readSet;
    }

    /** Refuses an operation after the work's end, on another thread, or after a failure. */
    void begin() {
        if (!Thread.currentThread().equals(owner)) {
            throw refused("a transaction is for the thread that runs its work; use it there, or begin another one");
        }
        if (ended) {
            throw refused("the transaction has ended with its work; begin another one, or use the group's own handles");
        }
        if (failure != null) {
            throw failure;
        }
    }

    private IllegalStateException refused(String why) {
        return new IllegalStateException(
                "Group %s: %s".formatted(calls.keys().root().text(), why));
    }

    /**
     * Counts operations and their bytes, before commands are sent for them. An operation is a change, or the first read
     * of a key.
     */
    void count(int more, long moreBytes) {
        keeping(() -> {
            operations += more;
            if (operations > MOST_OPERATIONS) {
                throw new LimitExceededException("Group %s: a transaction has %d operations, the limit is %d; split it"
                        .formatted(calls.keys().root().text(), operations, MOST_OPERATIONS));
            }
            countBytes(moreBytes);
        });
    }

    private void countBytes(long more) {
        bytes += more;
        if (bytes > MOST_BYTES) {
            throw new LimitExceededException(
                    "Group %s: a transaction reads and changes %d bytes, the limit is %d; split it"
                            .formatted(calls.keys().root().text(), bytes, MOST_BYTES));
        }
    }

    KnownEntry entry(EncodedKey key) {
        if (!readSet.knows(key)) {
            read(List.of(new GroupStep.ReadEntry(key)));
        }
        return readSet.entry(key);
    }

    void readEntries(List<EncodedKey> wanted) {
        count(
                (int) wanted.stream()
                        .filter(key -> !readSet.hasUsed(key))
                        .distinct()
                        .count(),
                0);
        List<GroupStep> reads = wanted.stream()
                .filter(key -> !readSet.knows(key))
                .distinct()
                .<GroupStep>map(GroupStep.ReadEntry::new)
                .toList();
        if (!reads.isEmpty()) {
            read(reads);
        }
    }

    KnownAggregate aggregate(EncodedKey key, AggregateKind kind) {
        if (!readSet.knows(key)) {
            read(List.of(new GroupStep.ReadAggregate(key, kind)));
        }
        return readSet.aggregate(key, kind);
    }

    void record(GroupStep step) {
        steps.add(step);
    }

    /** Reads everything that an earlier run needed in one command; does nothing if a type has changed. */
    void readAgain(List<GroupStep> reads) {
        if (!reads.isEmpty() && ask(reads) instanceof GroupReply.Applied applied) {
            keeping(() -> learn(reads, applied.answers()));
        }
    }

    /** Returns the result of one read step, provided that all earlier reads are unchanged. */
    @Nullable
    Object answer(GroupStep step, String asked) {
        return answers(List.of(step), asked).get(0);
    }

    private void read(List<GroupStep> reads) {
        unread = reads;
        List<@Nullable Object> answers = answers(reads, ReadSet.nameOf(reads.get(0)));
        unread = List.of();
        keeping(() -> learn(reads, answers));
    }

    private List<@Nullable Object> answers(List<GroupStep> reads, String asked) {
        GroupReply reply = ask(reads);
        if (reply instanceof GroupReply.Applied applied) {
            return applied.answers();
        }
        RuntimeException refused = reply instanceof GroupReply.Conflict
                ? new Conflict()
                : calls.notApplied(budget.operation(), asked, reply);
        if (!(refused instanceof WrongTypeException)) {
            failure = refused;
        }
        throw refused;
    }

    private GroupReply ask(List<GroupStep> reads) {
        GroupCommand command = new GroupCommand(calls.keys().home(), token, readSet.expected(), reads, stamp);
        List<GroupReply> reply = new ArrayList<>(1);
        keeping(() -> reply.add(calls.answer(command, budget)));
        return reply.get(0);
    }

    private void learn(List<GroupStep> reads, List<@Nullable Object> answers) {
        countBytes(readSet.learn(reads, answers));
    }

    /** Stores exceptions, after which the run cannot continue. */
    private void keeping(Runnable operation) {
        try {
            operation.run();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    void end() {
        ended = true;
    }

    void requireWhole() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the reads of everything that the work has used or was about to use, for another run. */
    List<GroupStep> reads() {
        List<GroupStep> reads = new ArrayList<>(unread);
        reads.addAll(readSet.reads());
        return reads;
    }

    boolean isChange() {
        return !steps.isEmpty();
    }

    /** Returns the command that commits the changes if everything that the work has used is unchanged. */
    GroupCommand commit() {
        return new GroupCommand(calls.keys().home(), token, readSet.usedBefore(), steps, stamp);
    }

    /** Thrown in a transaction's work that has read outdated data; the work is repeated even if it catches this. */
    static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Conflict() {
            super("What this transaction has read was changed by another; let this exception pass", null, false, false);
        }
    }
}
