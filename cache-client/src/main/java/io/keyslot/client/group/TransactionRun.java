// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a transaction's work: what it has read, with stamps, and what it is going to change.
 *
 * <ul>
 *   <li>Every read expects that what was read before is still the same. So all that a run has seen was there together, at
 *       the moment of its last read: the work never sees a half, and one that changes nothing is done when it returns.
 *   <li>A failure that leaves the run without what it needs stays: whatever the work makes of the exception, the run is
 *       not committed.
 *   <li>For use by the thread that made it, until {@link #end}.
 * </ul>
 */
final class TransactionRun {
    private final GroupCalls calls;
    private final TransactionMeter meter;
    private final CallBudget budget;
    private final long token;
    private final long stamp;
    private final Thread owner = Thread.currentThread();
    private final ReadSet readSet;
    private final List<GroupStep> steps = new ArrayList<>();
    private List<GroupStep> unread = List.of();
    private @Nullable RuntimeException failure;
    private boolean ended;

    /**
     * @param budget the time that the partition may take
     * @param token that the group's lock must have, 0 for whatever
     * @param stamp of what is changed
     */
    TransactionRun(GroupCalls calls, TransactionMeter meter, CallBudget budget, long token, long stamp) {
        this.calls = calls;
        this.meter = meter;
        this.budget = budget;
        this.token = token;
        this.stamp = stamp;
        this.readSet = new ReadSet(calls.keys().root().text(), stamp);
    }

    GroupKeys keys() {
        return calls.keys();
    }

    /** Returns the stamp of what is changed. */
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
        return new IllegalStateException("Group %s: %s".formatted(keys().root().text(), why));
    }

    /** Counts operations and their bytes, before anything is sent for them. */
    void count(int operations, long bytes) {
        keeping(() -> {
            meter.operations(operations);
            meter.bytes(bytes);
        });
    }

    /** Returns an entry, which is read if it is not known. */
    KnownEntry entry(EncodedKey key) {
        if (!readSet.knows(key)) {
            read(List.of(new GroupStep.ReadEntry(key)));
        }
        return readSet.entry(key);
    }

    /** Reads those of the entries that are not known, together. */
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

    /** Returns an aggregate, which is read if it is not known. */
    KnownAggregate aggregate(EncodedKey key, AggregateKind kind) {
        if (!readSet.knows(key)) {
            read(List.of(new GroupStep.ReadAggregate(key, kind)));
        }
        return readSet.aggregate(key, kind);
    }

    /** Adds a change, which the commit applies in its turn. */
    void record(GroupStep step) {
        steps.add(step);
    }

    /** Reads what an earlier run has needed, all together; does nothing if there is something of another type by now. */
    void readAgain(List<GroupStep> reads) {
        if (!reads.isEmpty() && ask(reads) instanceof GroupReply.Applied applied) {
            keeping(() -> learn(reads, applied.answers()));
        }
    }

    /** Returns the answer of one step that reads, if all that was read is as it was. */
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
                : calls.failures().notApplied(budget.operation(), asked, reply);
        if (!(refused instanceof WrongTypeException)) {
            failure = refused;
        }
        throw refused;
    }

    private GroupReply ask(List<GroupStep> reads) {
        GroupCommand command = new GroupCommand(keys().home(), token, readSet.expected(), reads, stamp);
        List<GroupReply> reply = new ArrayList<>(1);
        keeping(() -> reply.add(calls.answer(command, budget)));
        return reply.get(0);
    }

    private void learn(List<GroupStep> reads, List<@Nullable Object> answers) {
        meter.bytes(readSet.learn(reads, answers));
    }

    /** Keeps what is thrown: the run cannot go on after it. */
    private void keeping(Runnable operation) {
        try {
            operation.run();
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    /** Ends the run: it can be used no more. */
    void end() {
        ended = true;
    }

    /** Throws why the run cannot be committed, if it cannot. */
    void requireWhole() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns what reads all that the work has used, or was about to, for another run of it. */
    List<GroupStep> reads() {
        List<GroupStep> reads = new ArrayList<>(unread);
        reads.addAll(readSet.reads());
        return reads;
    }

    /** Returns whether there is something to be applied. */
    boolean isChange() {
        return !steps.isEmpty();
    }

    /** Returns what applies the changes if all that the work has used is as it was. */
    GroupCommand commit() {
        return new GroupCommand(keys().home(), token, readSet.usedBefore(), steps, stamp);
    }
}
