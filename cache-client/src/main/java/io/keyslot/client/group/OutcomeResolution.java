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
 * Finds out by the stamps whether a commit was applied whose answer was lost. No two changes have the same stamp, and a
 * commit is applied as a whole or not at all, so one key is enough:
 *
 * <ul>
 *   <li>If something has the commit's stamp, it was applied.
 *   <li>If something that it would have changed still has the stamp from before, it was not, and never will be: what is
 *       asked now comes after it on its connection, or on one whose first command has ended that.
 *   <li>That something is not there proves nothing if it was not there before: it may have been, and be gone again. Nor
 *       does the stamp of another.
 * </ul>
 */
final class OutcomeResolution {
    /** Between two attempts to ask a partition that is being connected again. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final GroupCalls calls;
    private final Waiter waiter;

    public OutcomeResolution(GroupCalls calls, Waiter waiter) {
        this.calls = calls;
        this.waiter = waiter;
    }

    /** What became of a commit. */
    enum Outcome {
        APPLIED,
        NOT_APPLIED,
        UNKNOWN
    }

    /** Asks as long as the budget lasts. */
    Outcome of(TransactionRun run, CallBudget budget) {
        List<GroupCommand.Expected> ours = run.readSet().changedAfterwards().stream()
                .filter(expected -> expected.stamp() == run.stamp())
                .toList();
        List<GroupCommand.Expected> before = unchanged(run);
        // As a rule nobody else was there meanwhile, and one question about all of them tells.
        List<Question> questions = new ArrayList<>();
        questions.add(new Question(ours, Outcome.APPLIED));
        questions.add(new Question(before, Outcome.NOT_APPLIED));
        ours.forEach(one -> questions.add(new Question(List.of(one), Outcome.APPLIED)));
        before.forEach(one -> questions.add(new Question(List.of(one), Outcome.NOT_APPLIED)));
        return answer(questions, budget);
    }

    /** Returns the stamps from before of what the commit changes, as far as it was read and was there. */
    private static List<GroupCommand.Expected> unchanged(TransactionRun run) {
        List<GroupCommand.Expected> changed = run.readSet().changedAfterwards();
        return run.readSet().usedBefore().stream()
                .filter(read -> read.stamp() != Command.ABSENT
                        && changed.stream().anyMatch(after -> after.key().equals(read.key())))
                .toList();
    }

    private Outcome answer(List<Question> questions, CallBudget budget) {
        for (Question question : questions) {
            Optional<Boolean> holds = question.stamps().isEmpty() ? Optional.of(false) : ask(question, budget);
            if (holds.isEmpty()) {
                return Outcome.UNKNOWN;
            }
            if (holds.get()) {
                return question.meaning();
            }
        }
        return Outcome.UNKNOWN;
    }

    /**
     * Returns whether all are as expected, empty if that cannot be found out in time. What may be accepted a moment later is
     * sent again below this. Here a missing partition is waited for, which is no failed attempt: other callers are better off
     * with a refusal at once, but this one has nothing else to do, and would have to say that nobody knows.
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

    /** Returns whether there is still time. */
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

    /** What it means if all these stamps are found. */
    private record Question(List<GroupCommand.Expected> stamps, Outcome meaning) {}
}
