// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Commits the recorded changes of a transaction in one step. Determines by the stamps whether a commit without a reply
 * was applied. A commit is atomic, so one key is enough:
 *
 * <ul>
 *   <li>If any key has the commit's stamp, which is unique, it was applied.
 *   <li>If a key that it would have changed still has its previous stamp, the commit was not applied and never will be:
 *       a question comes after it on its connection, or on a new connection whose first command has ended the old one.
 *   <li>A missing entry or aggregate proves nothing if it was missing before: it may have been created and deleted
 *       since. Nor does a third stamp prove anything.
 * </ul>
 */
record TransactionCommit(GroupCalls calls, Waiter waiter) {
    private static final Duration PAUSE = Duration.ofMillis(10);

    enum Progress {
        APPLIED,
        /** Another transaction changed what this one had read. */
        CONFLICT,
        /** The commit was lost and not applied; another attempt may use the remaining time. */
        LOST
    }

    /** Commits a run. Throws if the commit cannot be applied, or its outcome is unknown. */
    Progress of(TransactionRun run, CallBudget budget) {
        if (!run.isChange()) {
            return Progress.APPLIED;
        }
        Reply<GroupReply> reply = calls.ask(run.commit(), budget);
        if (reply instanceof Reply.Unknown<GroupReply> unknown) {
            return resolved(run, unknown, budget);
        }
        if (!(reply instanceof Reply.Done<GroupReply> done)) {
            throw calls.failures().ofChange(budget.operation(), reply);
        }
        GroupReply answer = done.value();
        if (answer instanceof GroupReply.Conflict) {
            return Progress.CONFLICT;
        }
        if (answer instanceof GroupReply.Applied) {
            return Progress.APPLIED;
        }
        throw calls.notApplied(budget.operation(), run.readSet().nameOf(answer), answer);
    }

    private Progress resolved(TransactionRun run, Reply.Unknown<GroupReply> unknown, CallBudget budget) {
        Progress outcome =
                outcomeOf(run, budget).orElseThrow(() -> calls.failures().ofChange(budget.operation(), unknown));
        if (outcome == Progress.APPLIED) {
            calls.calls().applied(run.commit());
        }
        return outcome;
    }

    private Optional<Progress> outcomeOf(TransactionRun run, CallBudget budget) {
        List<GroupCommand.Expected> ours = run.readSet().changedAfterwards().stream()
                .filter(expected -> expected.stamp() == run.stamp())
                .toList();
        List<GroupCommand.Expected> before = unchanged(run);
        // Usually there was no other change, and one question about all keys is enough.
        List<Question> questions = new ArrayList<>();
        questions.add(new Question(ours, Progress.APPLIED));
        questions.add(new Question(before, Progress.LOST));
        ours.forEach(one -> questions.add(new Question(List.of(one), Progress.APPLIED)));
        before.forEach(one -> questions.add(new Question(List.of(one), Progress.LOST)));
        return answer(questions, budget);
    }

    /** Returns the previous stamps of the keys that the commit changes, if they were read and existed. */
    private static List<GroupCommand.Expected> unchanged(TransactionRun run) {
        List<GroupCommand.Expected> changed = run.readSet().changedAfterwards();
        return run.readSet().usedBefore().stream()
                .filter(read -> read.stamp() != Command.ABSENT
                        && changed.stream().anyMatch(after -> after.key().equals(read.key())))
                .toList();
    }

    private Optional<Progress> answer(List<Question> questions, CallBudget budget) {
        for (Question question : questions) {
            Optional<Boolean> holds = question.stamps().isEmpty() ? Optional.of(false) : ask(question, budget);
            if (holds.isEmpty()) {
                return Optional.empty();
            }
            if (holds.get()) {
                return Optional.of(question.meaning());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether all stamps are as expected; empty if that cannot be determined in time. Waits for a missing
     * partition too: other calls fail fast, but this one would otherwise have to report an unknown outcome.
     */
    private Optional<Boolean> ask(Question question, CallBudget budget) {
        GroupCommand command = new GroupCommand(calls.keys().home(), 0, question.stamps(), List.of(), 0);
        while (true) {
            Reply<GroupReply> reply = calls.ask(command, budget);
            if (reply instanceof Reply.Done<GroupReply> done) {
                return Optional.of(done.value() instanceof GroupReply.Applied);
            }
            if (!pause(budget)) {
                return Optional.empty();
            }
        }
    }

    private boolean pause(CallBudget budget) {
        return budget.spend(deadline -> {
            if (deadline.remainingNanos() <= PAUSE.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            waiter.pause(PAUSE);
            return true;
        });
    }

    /** Stamps, and the outcome that follows if all of them match. */
    private record Question(List<GroupCommand.Expected> stamps, Progress meaning) {}
}
