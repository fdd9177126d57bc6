// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallBudgets;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the partition of one group, by the same door as the entries of caches: waits as they do, tells failures as they do,
 * and tells the same observers what has become of entries. Safe for use by several threads.
 */
final class GroupCalls {
    private final GroupKeys keys;
    private final EntryCalls calls;
    private final GroupFailures failures;
    private final CallBudgets budgets;
    private final Takers takers;
    private final EncodedKey home;

    /**
     * Creates the calls of a group.
     *
     * @param takers hear of the elements that are added to lists
     */
    public GroupCalls(GroupKeys keys, EntryCalls calls, Failures failures, CallBudgets budgets, Takers takers) {
        this.keys = keys;
        this.calls = calls;
        this.failures = new GroupFailures(keys.root().text(), failures);
        this.budgets = budgets;
        this.takers = takers;
        this.home = keys.home().stamps();
    }

    /** Returns the keys of the group. */
    public GroupKeys keys() {
        return keys;
    }

    /** Returns what to throw if a command was not applied. */
    public GroupFailures failures() {
        return failures;
    }

    /** Returns where time comes from. */
    public CallBudgets budgets() {
        return budgets;
    }

    /**
     * Returns the partition that has the group now.
     *
     * @throws PartitionUnavailableException if there is none
     */
    public PartitionId partition() {
        return calls.ownerOf(home)
                .orElseThrow(() -> new PartitionUnavailableException(
                        "Group %s: nobody has it: %s".formatted(keys.root().text(), calls.whyUnavailable(home))));
    }

    /** Returns the slot of everything in the group, by the newest map. */
    public int slot() {
        return calls.slotOf(home);
    }

    /** Sends a command without waiting for its reply. */
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Deadline deadline) {
        return calls.send(home, command, Patience.until(deadline));
    }

    /** Returns what is known after the command; does not throw. */
    public <R> Reply<R> ask(Command<R> command, CallBudget budget) {
        Reply<R> reply = calls.change(home, command, budget);
        if (command instanceof GroupCommand group
                && reply instanceof Reply.Done<R> done
                && done.value() instanceof GroupReply.Applied) {
            added(group);
        }
        return reply;
    }

    /** Tells of a command that was applied, as was found out. */
    public void applied(GroupCommand command) {
        calls.applied(command);
        added(command);
    }

    private void added(GroupCommand command) {
        for (GroupStep step : command.steps()) {
            if (step instanceof GroupStep.Apply apply
                    && (apply.operation() == AggregateOperation.LIST_ADD_FIRST
                            || apply.operation() == AggregateOperation.LIST_ADD_LAST)) {
                takers.arrived(apply.key(), apply.arguments().size());
            }
        }
    }

    /**
     * As {@link #answer(Command, CallBudget)}, with a budget for this command alone.
     *
     * @param operation the method that the application called
     */
    public <R> R answer(Command<R> command, String operation) {
        return answer(command, budgets.of(operation));
    }

    /** Returns what the command was answered, or throws. */
    public <R> R answer(Command<R> command, CallBudget budget) {
        return answer(budget.operation(), command, ask(command, budget));
    }

    private <R> R answer(String operation, Command<R> command, Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw reply instanceof Reply.Refused<R> refused
                ? failures.refused(operation, refused)
                : failures.unknown(operation, command.isRepeatable(), (Reply.Unknown<R>) reply);
    }

    /** Returns what the commands, sent at once, were answered, in their order, or throws. They change nothing. */
    public <R, C extends Command<R>> List<R> answerAll(List<C> commands, String operation) {
        List<Reply<R>> replies = calls.askAll(commands, command -> home, budgets.of(operation));
        List<R> answers = new ArrayList<>(commands.size());
        for (int i = 0; i < replies.size(); i++) {
            answers.add(answer(operation, commands.get(i), replies.get(i)));
        }
        return answers;
    }
}
