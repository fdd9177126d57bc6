// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Sends commands to partitions and waits for the replies within the budget of a call. An interrupted thread sends
 * nothing and stops waiting. Thread-safe.
 */
public final class PartitionCalls implements EntryCalls {
    /** The number of commands of one bulk operation in flight, so that it does not fill a connection. */
    private static final int MOST_IN_FLIGHT = 1000;

    private final PartitionRouter router;
    private final EntrySender sender;
    private final Waiter waiter;

    public PartitionCalls(PartitionRouter router, EntrySender sender, Waiter waiter) {
        this.router = router;
        this.sender = sender;
        this.waiter = waiter;
    }

    @Override
    public <R> Reply<R> ask(EncodedKey key, Command<R> command, CallBudget budget) {
        if (Unanswered.isInterrupted()) {
            return placed(key, Unanswered.unsent());
        }
        try (CallBudget.Wait wait = budget.begin()) {
            CompletableFuture<Reply<R>> sent = sender.send(key, command, patience(wait));
            return placed(key, waiter.await(sent, wait.deadline(), Unanswered::sent));
        }
    }

    <R> Reply<R> ask(PartitionId partition, Command<R> command, CallBudget budget) {
        Reply<R> reply = Unanswered.isInterrupted()
                ? Unanswered.unsent()
                : budget.spend(deadline -> waiter.await(
                        router.sendTo(partition, command, new Patience(deadline, waiter)), deadline, Unanswered::sent));
        return reply instanceof Reply.Refused<R> refused
                ? Reply.refused(refused.refusal(), router.located(partition, refused.detail()))
                : reply;
    }

    @Override
    public <R> Reply<R> change(EncodedKey key, Command<R> command, CallBudget budget) {
        return ask(key, command, budget);
    }

    @Override
    public List<Reply<Lookup>> getAndRemoveAll(List<Command.GetAndRemove> removals, CallBudget budget) {
        return askAll(removals, Command.GetAndRemove::key, budget);
    }

    @Override
    public List<Reply<Boolean>> setAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        return askAll(sets, Command.CompareAndSet::key, budget);
    }

    @Override
    public List<Reply<Boolean>> offerAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        return setAll(sets, budget);
    }

    public Optional<PartitionId> ownerOf(EncodedKey key) {
        return router.ownerOf(key);
    }

    public int slotOf(EncodedKey key) {
        return router.slotOf(key);
    }

    public String whyUnavailable(EncodedKey key) {
        return router.whyUnavailable(key);
    }

    public boolean admitsLoad(EncodedKey key) {
        return router.admitsLoad(key);
    }

    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        return sender.send(key, command, patience);
    }

    @Override
    public <R, C extends Command<R>> List<Reply<R>> askAll(
            List<C> commands, Function<C, EncodedKey> keyOf, CallBudget budget) {
        if (commands.size() == 1) {
            return List.of(
                    ask(keyOf.apply(commands.get(0)), commands.get(0), budget)); // the caller drives the connection
        }
        List<Reply<R>> replies = new ArrayList<>(commands.size());
        for (List<C> slice : Slices.of(commands, MOST_IN_FLIGHT)) {
            replies.addAll(
                    Unanswered.isInterrupted()
                            ? placed(slice, keyOf, Unanswered.unsent(slice.size()))
                            : budget.spend(deadline -> askSlice(slice, keyOf, deadline)));
        }
        return replies;
    }

    private <R, C extends Command<R>> List<Reply<R>> askSlice(
            List<C> slice, Function<C, EncodedKey> keyOf, Deadline deadline) {
        Patience patience = Patience.until(deadline);
        List<CompletableFuture<Reply<R>>> sent = new ArrayList<>(slice.size());
        slice.forEach(command -> sent.add(sender.send(keyOf.apply(command), command, patience)));
        List<Reply<R>> replies = new ArrayList<>(slice.size());
        sent.forEach(reply -> replies.add(waiter.await(reply, deadline, Unanswered::sent)));
        return placed(slice, keyOf, replies);
    }

    @Override
    public List<Reply<Lookup>> getAll(List<EncodedKey> keys, CallBudget budget) {
        return placed(
                keys, Function.identity(), awaitAll(patience -> sender.getAll(keys, patience), budget, keys.size()));
    }

    @Override
    public List<Reply<Boolean>> putAll(List<Command.Put> puts, CallBudget budget) {
        List<Reply<Boolean>> replies = new ArrayList<>(puts.size());
        for (List<Command.Put> slice : Slices.of(puts, MOST_IN_FLIGHT)) {
            replies.addAll(awaitAll(patience -> sender.putAll(slice, patience), budget, slice.size()));
        }
        return placed(puts, Command.Put::key, replies);
    }

    @Override
    public List<Reply<Boolean>> removeAll(List<EncodedKey> keys, CallBudget budget) {
        return placed(
                keys, Function.identity(), awaitAll(patience -> sender.removeAll(keys, patience), budget, keys.size()));
    }

    public void clearing() {
        sender.clearing();
    }

    public ReadSender reads() {
        return sender.reads();
    }

    public Optional<ReplicaState> explainReads(EncodedKey key, CallBudget budget) {
        return budget.spend(deadline ->
                waiter.await(sender.explainReads(key, Patience.until(deadline)), deadline, Optional::empty));
    }

    public Reply<Lookup> read(ReadSender reads, EncodedKey key, CallBudget budget) {
        if (Unanswered.isInterrupted()) {
            return placed(key, Unanswered.unsent());
        }
        try (CallBudget.Wait wait = budget.begin()) {
            CompletableFuture<Reply<Lookup>> sent = reads.read(key, patience(wait));
            return placed(key, waiter.await(sent, wait.deadline(), Unanswered::sent));
        }
    }

    public List<Reply<Lookup>> readAll(ReadSender reads, List<EncodedKey> keys, CallBudget budget) {
        return placed(
                keys, Function.identity(), awaitAll(patience -> reads.readAll(keys, patience), budget, keys.size()));
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        sender.forget(keys);
    }

    private <T, R> List<Reply<R>> placed(List<T> items, Function<T, EncodedKey> keyOf, List<Reply<R>> replies) {
        if (areDone(replies)) {
            return replies;
        }
        List<Reply<R>> placed = new ArrayList<>(replies.size());
        for (int i = 0; i < replies.size(); i++) {
            placed.add(placed(keyOf.apply(items.get(i)), replies.get(i)));
        }
        return placed;
    }

    private static <R> boolean areDone(List<Reply<R>> replies) {
        for (Reply<R> reply : replies) {
            if (!(reply instanceof Reply.Done)) {
                return false;
            }
        }
        return true;
    }

    /** Adds the location of the key to a failure, as a server's message does not have it. */
    private <R> Reply<R> placed(EncodedKey key, Reply<R> reply) {
        if (reply instanceof Reply.Refused<R> refused) {
            return Reply.refused(refused.refusal(), router.located(key, refused.detail()));
        }
        return reply instanceof Reply.Unknown<R> unknown
                ? Reply.unknown(router.located(key, unknown.detail()), unknown.cause())
                : reply;
    }

    private Patience patience(CallBudget.Wait wait) {
        return new Patience(wait.deadline(), waiter);
    }

    private <R> List<Reply<R>> awaitAll(
            Function<Patience, CompletableFuture<List<Reply<R>>>> sending, CallBudget budget, int count) {
        return Unanswered.isInterrupted()
                ? Unanswered.unsent(count)
                : budget.spend(deadline -> waiter.await(
                        sending.apply(new Patience(deadline, waiter)), deadline, () -> Unanswered.sent(count)));
    }
}
