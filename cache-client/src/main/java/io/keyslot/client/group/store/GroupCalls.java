// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group.store;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.call.Failures;
import io.keyslot.client.call.ObservedCalls;
import io.keyslot.client.call.PartitionCalls;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.CallBudgets;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the partition of one group, by the same door as the entries of caches: waits as they do, tells failures as they do,
 * and tells the same observers what has become of entries. Safe for use by several threads.
 */
public final class GroupCalls {
    private final GroupKeys keys;
    private final PartitionCalls partitions;
    private final ObservedCalls calls;
    private final Failures failures;
    private final CallBudgets budgets;
    private final Takers takers;
    private final EncodedKey home;

    /**
     * Creates the calls of a group.
     *
     * @param calls goes to the same partitions, and tells of the entries that are changed
     * @param takers hear of the elements that are added to lists
     */
    public GroupCalls(
            GroupKeys keys,
            PartitionCalls partitions,
            ObservedCalls calls,
            Failures failures,
            CallBudgets budgets,
            Takers takers) {
        this.keys = keys;
        this.partitions = partitions;
        this.calls = calls;
        this.failures = failures;
        this.budgets = budgets;
        this.takers = takers;
        this.home = keys.home().stamps();
    }

    /** Returns the keys of the group. */
    public GroupKeys keys() {
        return keys;
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
        return partitions
                .ownerOf(home)
                .orElseThrow(() -> new PartitionUnavailableException(
                        "Group %s: nobody has it: %s".formatted(keys.root().text(), partitions.whyNobody(home))));
    }

    /** Returns the slot of everything in the group, by the newest map. */
    public int slot() {
        return partitions.slotOf(home);
    }

    /** Sends a command without waiting for its reply. */
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Deadline deadline) {
        return partitions.send(home, command, Patience.until(deadline));
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
                ? refused(operation, refused)
                : unknown(operation, command.isRepeatable(), (Reply.Unknown<R>) reply);
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

    /** Returns what to throw if the command was not executed. */
    public KeyslotException refused(String operation, Reply.Refused<?> refused) {
        return failures.of(operation, refused);
    }

    /**
     * Returns what to throw if nobody knows whether the command was executed.
     *
     * @param changesNothing whether it is all the same
     */
    public KeyslotException unknown(String operation, boolean changesNothing, Reply.Unknown<?> unknown) {
        return changesNothing ? failures.ofRead(operation, unknown) : failures.ofChange(operation, unknown);
    }

    /** Returns what to throw if the command was not applied, for another reason than a conflict. */
    public RuntimeException notApplied(String operation, String asked, GroupReply reply) {
        String root = keys.root().text();
        if (reply instanceof GroupReply.WrongType wrong) {
            return new WrongTypeException(
                    "Group %s: %s was not done: there is a %s under %s, which is to be a %s; use another name or remove it"
                            .formatted(root, operation, wrong.found(), nameOf(wrong.key()), asked));
        }
        if (reply instanceof GroupReply.Impossible impossible) {
            return new ArithmeticException("Group %s: %s was not done to %s: %s"
                    .formatted(root, operation, nameOf(impossible.key()), impossible.detail()));
        }
        if (reply instanceof GroupReply.LockLost) {
            return new LockLostException(
                    "Group %s: %s was not done: the lock of the group is not held any more; take it again, and read again what was read under it"
                            .formatted(root, operation));
        }
        return new IllegalStateException("Group %s: %s was answered with %s".formatted(root, operation, reply));
    }

    /** Returns the entity type, which is no content. */
    private static String nameOf(EncodedKey key) {
        String text = key.text();
        return text.substring(0, text.indexOf(':'));
    }
}
