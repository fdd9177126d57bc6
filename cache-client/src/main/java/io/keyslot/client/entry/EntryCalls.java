// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands of a calling thread through a channel, and waits for the replies as long as the budget of the call lasts.
 *
 * <ul>
 *   <li>A thread that is interrupted sends nothing, and waits no longer.
 *   <li>A change whose answer was lost is resolved by {@link LostWrites}.
 *   <li>{@link EntryChanges} is notified of each change.
 * </ul>
 *
 * <p>Nothing here throws: every failure is a reply. Replies have the order of the commands. Safe for use by several threads.
 */
public final class EntryCalls {
    /** The most commands of one bulk operation that are in flight: it must not fill a connection by itself. */
    public static final int MOST_IN_FLIGHT = 1000;

    private final PartitionRouter router;
    private final Channel channel;
    private final Waiter waiter;
    private final LostWrites lost;
    private final EntryChanges[] changes; // an array, as each write calls them several times
    private final @Nullable LocalLeases leases;

    /** Creates calls of entries; {@code leases} are those of a raw cache, null for others. */
    public EntryCalls(
            PartitionRouter router,
            Channel channel,
            Waiter waiter,
            List<EntryChanges> changes,
            @Nullable LocalLeases leases) {
        this.router = router;
        this.channel = channel;
        this.waiter = waiter;
        this.lost = new LostWrites(this, leases != null);
        this.changes = changes.toArray(EntryChanges[]::new);
        this.leases = leases;
    }

    public EntryCalls(PartitionRouter router, Channel channel, Waiter waiter, List<EntryChanges> changes) {
        this(router, channel, waiter, changes, null);
    }

    public PartitionRouter router() {
        return router;
    }

    /** Sends a command about one key that changes no entry, or whose effect the caller resolves itself. */
    public <R> Reply<R> ask(EncodedKey key, Command<R> command, CallBudget budget) {
        return ask(key, command, false, budget);
    }

    /** Reads an entry; a replica may answer, and a near cache may keep the answer. */
    public Reply<Lookup> read(EncodedKey key, CallBudget budget) {
        return ask(key, new Command.Get(key), true, budget);
    }

    private <R> Reply<R> ask(EncodedKey key, Command<R> command, boolean mayBeStale, CallBudget budget) {
        Reply<R> ahead = budget.takeAhead();
        if (ahead != null) {
            return located(key, ahead);
        }
        if (Unanswered.isInterrupted()) {
            return located(key, Unanswered.unsent());
        }
        Deadline deadline = budget.begin();
        try {
            Patience patience = new Patience(deadline, waiter, false);
            Call<R> call = new Call<>(command, key, null, null, patience, mayBeStale);
            return located(key, waiter.await(channel.send(call), deadline, Unanswered::sent));
        } finally {
            budget.end(deadline);
        }
    }

    /** Sends the first command of a call, whose other part begins when the reply is there. */
    public CompletableFuture<?> sendAhead(CallBudget budget, Function<Patience, Call<?>> call) {
        return budget.sendAhead(deadline -> channel.send(call.apply(Patience.until(deadline))));
    }

    /** As {@link #sendAhead}, for a change of an entry. */
    public CompletableFuture<?> changeAhead(EncodedKey key, Command<?> command, CallBudget budget) {
        beginning(key, command);
        return sendAhead(budget, patience -> Call.of(key, command, patience));
    }

    /** As {@link #sendAhead}, for a batch of at most {@link #MOST_IN_FLIGHT}. */
    public CompletableFuture<?> putAllAhead(List<Command.Put> puts, CallBudget budget) {
        changing(puts.stream().map(Command.Put::key).toList());
        return sendAhead(budget, patience -> Call.of(new BulkCommand.Put(puts), patience, false));
    }

    public <R> Reply<R> ask(PartitionId partition, Command<R> command, CallBudget budget) {
        Reply<R> reply = budget.takeAhead();
        if (reply == null) {
            reply = Unanswered.isInterrupted()
                    ? Unanswered.unsent()
                    : budget.spend(deadline -> waiter.await(
                            router.sendTo(partition, command, new Patience(deadline, waiter)),
                            deadline,
                            Unanswered::sent));
        }
        return reply instanceof Reply.Refused<R> refused
                ? Reply.refused(refused.refusal(), router.located(partition, refused.detail()))
                : reply;
    }

    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        return channel.send(Call.of(key, command, patience));
    }

    /** As {@link #ask(EncodedKey, Command, CallBudget)}, for several commands in parallel. */
    public <R, C extends Command<R>> List<Reply<R>> askAll(
            List<C> commands, Function<C, EncodedKey> keyOf, CallBudget budget) {
        if (commands.size() == 1) {
            return List.of(
                    ask(keyOf.apply(commands.get(0)), commands.get(0), budget)); // its caller drives the connection
        }
        List<Reply<R>> replies = new ArrayList<>(commands.size());
        for (List<C> slice : Slices.of(commands, MOST_IN_FLIGHT)) {
            replies.addAll(
                    Unanswered.isInterrupted()
                            ? located(slice, keyOf, Collections.nCopies(slice.size(), Unanswered.unsent()))
                            : budget.spend(deadline -> askSlice(slice, keyOf, deadline)));
        }
        return replies;
    }

    private <R, C extends Command<R>> List<Reply<R>> askSlice(
            List<C> slice, Function<C, EncodedKey> keyOf, Deadline deadline) {
        Patience patience = Patience.until(deadline);
        List<CompletableFuture<Reply<R>>> sent = new ArrayList<>(slice.size());
        slice.forEach(command -> sent.add(send(keyOf.apply(command), command, patience)));
        List<Reply<R>> replies = new ArrayList<>(slice.size());
        sent.forEach(reply -> replies.add(waiter.await(reply, deadline, Unanswered::sent)));
        return located(slice, keyOf, replies);
    }

    public List<Reply<Lookup>> getAll(List<EncodedKey> keys, CallBudget budget) {
        return each(new BulkCommand.Get(keys), false, budget);
    }

    /** Reads entries; replicas may answer, and a near cache may keep the answers. */
    public List<Reply<Lookup>> readAll(List<EncodedKey> keys, CallBudget budget) {
        return each(new BulkCommand.Get(keys), true, budget);
    }

    private <I, R> List<Reply<R>> each(BulkCommand<I, ?, R> command, boolean mayBeStale, CallBudget budget) {
        int count = command.items().size();
        Reply<List<Reply<R>>> reply = budget.takeAhead();
        if (reply == null) {
            reply = Unanswered.isInterrupted()
                    ? Unanswered.unsent()
                    : budget.spend(deadline -> waiter.await(
                            channel.send(Call.of(command, new Patience(deadline, waiter), mayBeStale)),
                            deadline,
                            Unanswered::sent));
        }
        return located(command.items(), command::keyOf, Call.each(reply, count));
    }

    /** Notifies of an attempt to change an entry; call it before, also if the attempt begins with a read. */
    public void changing(EncodedKey key) {
        for (EntryChanges each : changes) {
            each.changing(key);
        }
    }

    /** As above, for several entries. */
    public void changing(List<EncodedKey> keys) {
        for (EntryChanges each : changes) {
            each.changing(keys);
        }
    }

    /** Changes an entry: stores or removes it, with or without a condition. */
    public <R> Reply<R> change(EncodedKey key, Command<R> command, CallBudget budget) {
        if (!budget.isAhead()) {
            beginning(key, command);
        }
        Reply<R> reply = ask(key, command, budget);
        if (reply instanceof Reply.Unknown) {
            reply = settled(command, reply, budget);
        }
        if (isApplied(reply)) {
            applied(command);
        }
        return reply;
    }

    private void beginning(EncodedKey key, Command<?> command) {
        changing(key);
        if (command instanceof Command.GetAndRemove) {
            removed(key); // whatever the outcome: a later miss is not an eviction
        }
    }

    @SuppressWarnings("unchecked") // the type of the answer follows from the command's
    private <R> Reply<R> settled(Command<R> command, Reply<R> unknown, CallBudget budget) {
        Optional<Boolean> outcome = Optional.empty();
        if (command instanceof Command.Put put) {
            outcome = lost.settle(List.of(put), budget).isEmpty() ? outcome : Optional.of(true);
        } else if (command instanceof Command.CompareAndSet set) {
            outcome = lost.settle(set, budget);
        } else if (command instanceof Command.CompareAndRemove removal) {
            outcome = lost.settle(removal, budget);
        }
        return outcome.map(done -> (Reply<R>) Reply.done(done)).orElse(unknown);
    }

    private static boolean isApplied(Reply<?> reply) {
        return reply instanceof Reply.Done<?> done
                && (Boolean.TRUE.equals(done.value())
                        || done.value() instanceof GroupReply.Applied
                        || done.value() instanceof Long); // the number of removed entries
    }

    public List<Reply<Boolean>> putAll(List<Command.Put> puts, CallBudget budget) {
        if (!budget.isAhead()) {
            changing(puts.stream().map(Command.Put::key).toList());
        }
        List<Reply<Boolean>> replies = new ArrayList<>(puts.size());
        for (List<Command.Put> slice : Slices.of(puts, MOST_IN_FLIGHT)) {
            replies.addAll(each(new BulkCommand.Put(slice), false, budget));
        }
        settle(puts, replies, budget);
        for (int i = 0; i < puts.size(); i++) {
            if (replies.get(i) instanceof Reply.Done) {
                stored(puts.get(i));
            }
        }
        return replies;
    }

    private void settle(List<Command.Put> puts, List<Reply<Boolean>> replies, CallBudget budget) {
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof Reply.Unknown) {
                open.add(i);
            }
        }
        if (!open.isEmpty()) {
            BitSet done = lost.settle(open.stream().map(puts::get).toList(), budget);
            done.stream().mapToObj(open::get).forEach(i -> replies.set(i, Reply.done(true)));
        }
    }

    /** Stores entries that have the expected stamps, and resolves lost answers. */
    public List<Reply<Boolean>> setAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        List<Reply<Boolean>> replies = new ArrayList<>(askAll(sets, Command.CompareAndSet::key, budget));
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof Reply.Unknown) {
                replies.set(i, settled(sets.get(i), replies.get(i), budget));
            }
        }
        return noted(sets, replies);
    }

    /** As {@link #setAll}, but does not resolve lost answers. */
    public List<Reply<Boolean>> offerAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        return noted(sets, askAll(sets, Command.CompareAndSet::key, budget));
    }

    private List<Reply<Boolean>> noted(List<Command.CompareAndSet> sets, List<Reply<Boolean>> replies) {
        for (int i = 0; i < sets.size(); i++) {
            if (isApplied(replies.get(i))) {
                applied(sets.get(i));
            }
        }
        return replies;
    }

    public List<Reply<Lookup>> getAndRemoveAll(List<Command.GetAndRemove> removals, CallBudget budget) {
        List<Reply<Lookup>> ahead = budget.takeAhead();
        if (ahead != null) {
            return located(removals, Command.GetAndRemove::key, ahead);
        }
        removing(removals);
        return askAll(removals, Command.GetAndRemove::key, budget);
    }

    private void removing(List<Command.GetAndRemove> removals) {
        changing(removals.stream().map(Command.GetAndRemove::key).toList());
        removals.forEach(removal -> removed(removal.key()));
    }

    /** As {@link #sendAhead}, for at most {@link #MOST_IN_FLIGHT} removals. */
    public CompletableFuture<?> getAndRemoveAllAhead(List<Command.GetAndRemove> removals, CallBudget budget) {
        removing(removals);
        return budget.sendAhead(deadline -> {
            List<CompletableFuture<Reply<Lookup>>> sent = new ArrayList<>(removals.size());
            removals.forEach(removal -> sent.add(send(removal.key(), removal, Patience.until(deadline))));
            return CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new))
                    .thenApply(done -> sent.stream()
                            .map(reply -> reply.getNow(Unanswered.sent()))
                            .toList());
        });
    }

    /** As {@link #sendAhead}, for {@link #removeAll}. */
    public CompletableFuture<?> removeAllAhead(List<EncodedKey> keys, CallBudget budget) {
        changing(keys);
        return sendAhead(budget, patience -> Call.of(new BulkCommand.Remove(keys), patience, false));
    }

    /** Removes entries; the replies do not tell whether they existed. */
    public List<Reply<Boolean>> removeAll(List<EncodedKey> keys, CallBudget budget) {
        if (!budget.isAhead()) {
            changing(keys);
        }
        List<Reply<Boolean>> replies = each(new BulkCommand.Remove(keys), false, budget);
        for (int i = 0; i < keys.size(); i++) {
            if (replies.get(i) instanceof Reply.Done) {
                removed(keys.get(i));
            } else {
                for (EntryChanges each : changes) {
                    each.unsettled(keys.get(i));
                }
            }
        }
        return replies;
    }

    /** Removes whatever is stored under the keys, now or before this process reads it again. Does not wait. */
    public void removeLater(List<EncodedKey> keys) {
        keys.forEach(this::removed);
        forget(keys);
    }

    /** As {@link #removeLater}, for keys that have no entry but perhaps a lease. */
    public void forget(List<EncodedKey> keys) {
        if (leases != null) {
            keys.forEach(leases::voidLease);
        }
        router.forget(keys);
    }

    /** Notifies that all entries are about to be removed, and ends the leases of a raw cache. */
    public void clearing() {
        for (EntryChanges each : changes) {
            each.clearing();
        }
        if (leases != null) {
            leases.voidAll();
        }
    }

    public void applied(Command<?> command) {
        if (command instanceof Command.Put put) {
            stored(put);
        } else if (command instanceof Command.CompareAndSet set) {
            if (!set.envelope().isNegative()) {
                stored(set.key(), set.expiry(), set.expiry());
            }
        } else if (command instanceof Command.CompareAndRemove removal) {
            removed(removal.key());
        } else if (command instanceof Command.RemoveAll removal) {
            removal.keys().forEach(this::removed);
        } else if (command instanceof Command.Erase erasure) {
            erasure.keys().forEach(this::removed);
        } else if (command instanceof GroupCommand group) {
            group.steps().forEach(this::applied);
        }
    }

    private void applied(GroupStep step) {
        if (step instanceof GroupStep.PutEntry put) {
            stored(put.key(), put.onCreation(), put.onUpdate());
        } else if (step instanceof GroupStep.RemoveEntry) {
            removed(step.key());
        } else if (step.isWrite()) {
            Contention.changed(step.key());
        }
    }

    private void stored(Command.Put put) {
        stored(put.key(), put.onCreation(), put.onUpdate());
    }

    private void stored(EncodedKey key, Expiry onCreation, Expiry onUpdate) {
        for (EntryChanges each : changes) {
            each.stored(key, onCreation, onUpdate);
        }
        Contention.changed(key);
    }

    private void removed(EncodedKey key) {
        for (EntryChanges each : changes) {
            each.removed(key);
        }
        Contention.changed(key);
    }

    private <T, R> List<Reply<R>> located(List<T> items, Function<T, EncodedKey> keyOf, List<Reply<R>> replies) {
        if (areDone(replies)) {
            return replies;
        }
        List<Reply<R>> located = new ArrayList<>(replies.size());
        for (int i = 0; i < replies.size(); i++) {
            located.add(located(keyOf.apply(items.get(i)), replies.get(i)));
        }
        return located;
    }

    private static <R> boolean areDone(List<Reply<R>> replies) {
        for (Reply<R> reply : replies) {
            if (!(reply instanceof Reply.Done)) {
                return false;
            }
        }
        return true;
    }

    /** Adds the partition to the message of a failure, which a server does not name. */
    private <R> Reply<R> located(EncodedKey key, Reply<R> reply) {
        if (reply instanceof Reply.Refused<R> refused) {
            return Reply.refused(refused.refusal(), router.located(key, refused.detail()));
        }
        return reply instanceof Reply.Unknown<R> unknown
                ? Reply.unknown(router.located(key, unknown.detail()), unknown.cause())
                : reply;
    }
}
