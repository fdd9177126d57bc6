// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group.store;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.aggregate.AggregateOperation;
import io.keyslot.client.call.GroupWatch;
import io.keyslot.client.call.Unanswered;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.CallBudgets;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Patience;
import io.keyslot.client.time.Waiter;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks the partition of one group, waits for its replies, and turns failures into what the application sees. */
public final class GroupCalls {
    private final PartitionRouter router;
    private final Waiter waiter;
    private final GroupKeys keys;
    private final GroupWatch watch;
    private final CallBudgets budgets;
    private final Takers takers;

    public GroupCalls(
            GroupKeys keys,
            PartitionRouter router,
            Waiter waiter,
            GroupWatch watch,
            CallBudgets budgets,
            Takers takers) {
        this.keys = keys;
        this.router = router;
        this.waiter = waiter;
        this.watch = watch;
        this.budgets = budgets;
        this.takers = takers;
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
        int slot = keys.home().slot();
        return router.ownerOf(slot)
                .orElseThrow(() -> new PartitionUnavailableException("Group %s: no partition owns its slot %d"
                        .formatted(keys.root().text(), slot)));
    }

    /** Sends a command without waiting for its reply. */
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Deadline deadline) {
        return command instanceof Command.Group group && group.steps().stream().anyMatch(GroupStep::mayEnlarge)
                ? watch.around(
                        keys.home(), deadline, () -> router.send(keys.home().slot(), command, Patience.until(deadline)))
                : router.send(keys.home().slot(), command, Patience.until(deadline));
    }

    /** Returns what is known after the command; does not throw. */
    public <R> Reply<R> ask(Command<R> command, CallBudget budget) {
        if (Unanswered.isInterrupted()) {
            return Unanswered.unsent();
        }
        Reply<R> reply = budget.spend(deadline -> waiter.await(send(command, deadline), deadline, Unanswered::sent));
        if (command instanceof Command.Group group
                && reply instanceof Reply.Done<R> done
                && done.value() instanceof GroupReply.Applied) {
            applied(group);
        }
        return reply;
    }

    /** Tells those who wait for what the command has done. */
    public void applied(Command.Group command) {
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

    /** Returns what the commands, sent at once, were answered, in their order, or throws. */
    public <R, C extends Command<R>> List<R> answerAll(List<C> commands, String operation) {
        CallBudget budget = budgets.of(operation);
        if (Unanswered.isInterrupted()) {
            throw refused(budget.operation(), (Reply.Refused<R>) Unanswered.<R>unsent());
        }
        List<Reply<R>> replies = budget.spend(deadline -> {
            List<CompletableFuture<Reply<R>>> sent = new ArrayList<>(commands.size());
            commands.forEach(command -> sent.add(send(command, deadline)));
            return sent.stream()
                    .map(reply -> waiter.await(reply, deadline, Unanswered::<R>sent))
                    .toList();
        });
        List<R> answers = new ArrayList<>(commands.size());
        for (int i = 0; i < replies.size(); i++) {
            answers.add(answer(budget.operation(), commands.get(i), replies.get(i)));
        }
        return answers;
    }

    public KeyslotException refused(String operation, Reply.Refused<?> refused) {
        String why = router.located(keys.home().slot(), refused.detail());
        String message = "Group %s: %s was not done: %s".formatted(keys.root().text(), operation, why);
        return switch (refused.refusal()) {
            case OVERLOADED -> new CacheOverloadedException(message);
            case TOO_LARGE -> new LimitExceededException(message);
            case INTERRUPTED -> new CallInterruptedException(message);
            case UNAVAILABLE, RECONNECTING, STALE_ROUTE, NOT_NOW, NOT_WRITABLE, FORBIDDEN ->
                new PartitionUnavailableException(message);
        };
    }

    /**
     * Returns what to throw if nobody knows whether the command was executed.
     *
     * @param changesNothing whether it is all the same
     */
    public KeyslotException unknown(String operation, boolean changesNothing, Reply.Unknown<?> unknown) {
        String root = keys.root().text();
        String why = router.located(keys.home().slot(), unknown.detail());
        if (Unanswered.isByInterruption(unknown)) {
            return new CallInterruptedException(
                    "Group %s: %s: %s%s"
                            .formatted(
                                    root,
                                    operation,
                                    why,
                                    changesNothing ? "" : "; it may or may not have been applied"),
                    unknown.cause());
        }
        return changesNothing
                ? new PartitionUnavailableException(
                        "Group %s: %s got no answer: %s".formatted(root, operation, why), unknown.cause())
                : new OutcomeUnknownException(
                        "Group %s: no answer to %s, it may or may not have been applied: %s"
                                .formatted(root, operation, why),
                        unknown.cause());
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
