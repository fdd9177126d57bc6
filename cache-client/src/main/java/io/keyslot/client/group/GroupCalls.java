// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends commands to the partition of one group, with the waiting and observers of cache entries, and creates the
 * exceptions of failed ones. Thread-safe.
 *
 * @param home a key of the group, which identifies its slot
 */
record GroupCalls(
        GroupKeys keys, EntryCalls calls, Failures failures, Ticker ticker, Duration callTime, EncodedKey home) {
    /** Throws {@code PartitionUnavailableException} if no partition owns the group. */
    PartitionId partition() {
        return calls.router()
                .ownerOf(home)
                .orElseThrow(() -> new PartitionUnavailableException("Group %s: no partition has it: %s"
                        .formatted(keys.root().text(), calls.router().whyUnavailable(home))));
    }

    /** Sends a command without waiting for its reply. */
    <R> CompletableFuture<Reply<R>> send(Command<R> command, Deadline deadline) {
        return calls.send(home, command, Patience.until(deadline));
    }

    /** Sends a command and returns its reply; does not throw. */
    <R> Reply<R> ask(Command<R> command, CallBudget budget) {
        return calls.change(home, command, budget);
    }

    /** Returns the budget of a call of this name, which begins now. */
    CallBudget budget(String operation) {
        return new CallBudget(operation, ticker, callTime);
    }

    /** Returns a deadline after a duration that the application sets itself. */
    Deadline after(Duration duration) {
        return Deadline.after(ticker, duration);
    }

    <R> R answer(Command<R> command, String operation) {
        return answer(command, budget(operation));
    }

    <R> R answer(Command<R> command, CallBudget budget) {
        return answer(budget.operation(), command, ask(command, budget));
    }

    private <R> R answer(String operation, Command<R> command, Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw command.isRepeatable() ? failures.ofRead(operation, reply) : failures.ofChange(operation, reply);
    }

    /** Sends commands that change nothing, all at once; returns their results in order, or throws. */
    <R, C extends Command<R>> List<R> answerAll(List<C> commands, String operation) {
        List<Reply<R>> replies = calls.askAll(commands, command -> home, budget(operation));
        List<R> answers = new ArrayList<>(commands.size());
        for (int i = 0; i < replies.size(); i++) {
            answers.add(answer(operation, commands.get(i), replies.get(i)));
        }
        return answers;
    }

    /** Returns the exception for a command that was not applied, except for a conflict. */
    RuntimeException notApplied(String operation, String asked, GroupReply reply) {
        if (reply instanceof GroupReply.WrongType wrong) {
            return new WrongTypeException(
                    "Group %s: %s was not done: there is a %s under %s, which is to be a %s; use another name or remove it"
                            .formatted(keys.root().text(), operation, wrong.found(), nameOf(wrong.key()), asked));
        }
        if (reply instanceof GroupReply.Impossible impossible) {
            return new ArithmeticException("Group %s: %s was not done to %s: %s"
                    .formatted(keys.root().text(), operation, nameOf(impossible.key()), impossible.detail()));
        }
        if (reply instanceof GroupReply.LockLost) {
            return new LockLostException(
                    "Group %s: %s was not done: the lock of the group is not held any more; take it again, and read again what was read under it"
                            .formatted(keys.root().text(), operation));
        }
        return new IllegalStateException(
                "Group %s: %s was answered with %s".formatted(keys.root().text(), operation, reply));
    }

    /** Returns the entity type, which contains no content. */
    private static String nameOf(EncodedKey key) {
        String text = key.text();
        return text.substring(0, text.indexOf(':'));
    }
}
