// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.function.Function;

/** Reports changed entries to an observer, and to the {@link Contention} in which the calling thread runs. */
public final class ObservedCalls implements EntryCalls {
    private final EntryCalls calls;
    private final EntryChanges observer;

    public ObservedCalls(EntryCalls calls, EntryChanges observer) {
        this.calls = calls;
        this.observer = observer;
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
        if (command instanceof Command.GetAndRemove) {
            removed(key); // whatever the outcome, so that a later miss is not taken for an eviction
        }
        Reply<R> reply = calls.change(key, command, budget);
        if (isApplied(reply)) {
            applied(command);
        }
        return reply;
    }

    private static boolean isApplied(Reply<?> reply) {
        return reply instanceof Reply.Done<?> done
                && (Boolean.TRUE.equals(done.value())
                        || done.value() instanceof GroupReply.Applied
                        || done.value() instanceof Long); // the number of removed entries
    }

    /** Reports a command whose execution is certain. */
    public void applied(Command<?> command) {
        if (command instanceof Command.Put put) {
            stored(put.key(), put.onCreation());
        } else if (command instanceof Command.CompareAndSet set) {
            stored(set);
        } else if (command instanceof Command.CompareAndRemove removal) {
            removed(removal.key());
        } else if (command instanceof Command.RemoveAll removal) {
            removal.keys().forEach(this::removed);
        } else if (command instanceof GroupCommand group) {
            group.steps().forEach(this::applied);
        }
    }

    private void applied(GroupStep step) {
        if (step instanceof GroupStep.PutEntry put) {
            stored(put.key(), put.onCreation());
        } else if (step instanceof GroupStep.RemoveEntry) {
            removed(step.key());
        } else if (step.isWrite()) {
            Contention.changed(step.key());
        }
    }

    private void stored(Command.CompareAndSet set) {
        if (!set.envelope().isNegative()) {
            stored(set.key(), set.expiry());
        }
    }

    private void stored(EncodedKey key, Expiry expiry) {
        observer.stored(key, expiry);
        Contention.changed(key);
    }

    private void removed(EncodedKey key) {
        observer.removed(key);
        Contention.changed(key);
    }

    @Override
    public List<Reply<Lookup>> getAndRemoveAll(List<Command.GetAndRemove> removals, CallBudget budget) {
        removals.forEach(removal -> removed(removal.key()));
        return calls.getAndRemoveAll(removals, budget);
    }

    @Override
    public List<Reply<Boolean>> putAll(List<Command.Put> puts, CallBudget budget) {
        List<Reply<Boolean>> replies = calls.putAll(puts, budget);
        for (int i = 0; i < puts.size(); i++) {
            if (replies.get(i) instanceof Reply.Done) {
                stored(puts.get(i).key(), puts.get(i).onCreation());
            }
        }
        return replies;
    }

    @Override
    public List<Reply<Boolean>> setAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        return stored(sets, calls.setAll(sets, budget));
    }

    @Override
    public List<Reply<Boolean>> offerAll(List<Command.CompareAndSet> sets, CallBudget budget) {
        return stored(sets, calls.offerAll(sets, budget));
    }

    private List<Reply<Boolean>> stored(List<Command.CompareAndSet> sets, List<Reply<Boolean>> replies) {
        for (int i = 0; i < sets.size(); i++) {
            if (isApplied(replies.get(i))) {
                stored(sets.get(i));
            }
        }
        return replies;
    }

    @Override
    public List<Reply<Boolean>> removeAll(List<EncodedKey> keys, CallBudget budget) {
        keys.forEach(observer::removing);
        List<Reply<Boolean>> replies = calls.removeAll(keys, budget);
        for (int i = 0; i < keys.size(); i++) {
            if (replies.get(i) instanceof Reply.Done) {
                removed(keys.get(i));
            } else {
                observer.unsettled(keys.get(i));
            }
        }
        return replies;
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        keys.forEach(this::removed);
        calls.forget(keys);
    }
}
