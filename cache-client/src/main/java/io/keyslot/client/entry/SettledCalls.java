// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds the outcome of changes whose reply was lost ({@link LostWrites}). Refused commands have changed nothing. */
final class SettledCalls implements EntryCalls {
    private final EntryCalls calls;
    private final LostWrites lost;

    public SettledCalls(EntryCalls calls, StampMeaning stamps) {
        this.calls = calls;
        this.lost = new LostWrites(calls, stamps);
    }

    @Override
    public <R> Reply<R> ask(EncodedKey key, Command<R> command, CallBudget budget) {
        return calls.ask(key, command, budget);
    }

    @Override
    public <R, C extends Command<R>> List<Reply<R>> askAll(
            List<C> commands, Function<C, EncodedKey> keyOf, CallBudget budget) {
        return calls.askAll(commands, keyOf, budget);
    }

    @Override
    public List<Reply<Lookup>> getAll(List<EncodedKey> keys, CallBudget budget) {
        return calls.getAll(keys, budget);
    }

    @Override
    public <R> Reply<R> change(EncodedKey key, Command<R> command, CallBudget budget) {
        Reply<R> reply = calls.change(key, command, budget);
        return reply instanceof Reply.Unknown ? settled(command, reply, budget) : reply;
    }

    @SuppressWarnings("unchecked") // the command determines the type of the reply
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

    @Override
    public List<Reply<Lookup>> getAndRemoveAll(List<Command.GetAndRemove> removals, CallBudget budget) {
        return calls.getAndRemoveAll(removals, budget);
    }

    @Override
    public List<Reply<Boolean>> putAll(List<Command.Put> puts, CallBudget budget) {
        List<Reply<Boolean>> replies = calls.putAll(puts, budget);
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof Reply.Unknown) {
                open.add(i);
            }
        }
        if (open.isEmpty()) {
            return replies;
        }
        List<Reply<Boolean>> settled = new ArrayList<>(replies);
        BitSet done = lost.settle(open.stream().map(puts::get).toList(), budget);
        done.stream().mapToObj(open::get).forEach(i -> settled.set(i, Reply.done(true)));
        return settled;
    }

    @Override
    public List<Reply<Boolean>> setAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        List<Reply<Boolean>> replies = new ArrayList<>(calls.setAll(sets, budget));
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof Reply.Unknown) {
                replies.set(i, settled(sets.get(i), replies.get(i), budget));
            }
        }
        return replies;
    }

    @Override
    public List<Reply<Boolean>> offerAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        return calls.offerAll(sets, budget);
    }

    @Override
    public List<Reply<Boolean>> removeAll(List<EncodedKey> keys, CallBudget budget) {
        return calls.removeAll(keys, budget);
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        calls.forget(keys);
    }
}
