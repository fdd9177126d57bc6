// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The channel of a raw cache, whose values have no envelope. Its leases are kept in this process ({@link LocalLeases}), and a value that
 * is stored under a lease is stored where there is no entry. A command that needs an envelope is refused; the configuration of a raw
 * cache excludes such commands.
 */
record RawChannel(Channel next, LocalLeases leases) implements Channel {
    private static final String ENVELOPED =
            "the value reads as one that stands behind a header of Keyslot for this key, and could not be told from it;"
                    + " store another one";

    @Override
    @SuppressWarnings("unchecked") // the type of the answer follows from the command's
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        Command<R> command = call.command();
        Patience patience = call.patience();
        if (command instanceof Command.Get
                || command instanceof Command.GetAndExpire
                || command instanceof Command.Describe
                || command instanceof BulkCommand.Get) {
            return next.send(call);
        } else if (command instanceof Command.Put put) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) put(put, patience);
        } else if (command instanceof Command.Lease lease) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) lease(lease, patience);
        } else if (command instanceof Command.CompareAndSet set) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) set(set, patience);
        } else if (command instanceof Command.CompareAndRemove removal) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) remove(removal, patience);
        } else if (command instanceof Command.CompareAndExpire expiring) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) expire(expiring, patience);
        } else if (command instanceof BulkCommand.Put puts) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) putAll(puts.items(), patience);
        } else if (command instanceof Command.GetAndRemove || command instanceof BulkCommand.Remove) {
            command.keys().forEach(leases::voidLease);
            return next.send(call);
        }
        return done(Reply.refused(Refusal.FORBIDDEN, command.name() + " needs a header, and values are raw"));
    }

    private CompletableFuture<Reply<Boolean>> put(Command.Put put, Patience patience) {
        leases.voidLease(put.key());
        return put.envelope().isMistakable(put.key()) ? mistakable() : forward(put.key(), put, patience);
    }

    /** Takes a lease if there is no entry, even if there are other bytes. */
    private CompletableFuture<Reply<Lookup>> lease(Command.Lease lease, Patience patience) {
        return forward(lease.key(), new Command.Get(lease.key()), patience).thenApply(reply -> {
            if (!(reply instanceof Reply.Done<Lookup> done) || !isFree(done.value())) {
                return reply;
            }
            return Reply.done(Lookup.leased(leases.take(lease.key(), lease.stamp())));
        });
    }

    private static boolean isFree(Lookup lookup) {
        return lookup.outcome() == Lookup.Outcome.ABSENT || lookup.outcome() == Lookup.Outcome.OTHER_LAYOUT;
    }

    private CompletableFuture<Reply<Boolean>> set(Command.CompareAndSet set, Patience patience) {
        EncodedKey key = set.key();
        if (!set.envelope().isEntry()) {
            return takeOver(set, patience);
        } else if (set.envelope().isMistakable(key)) {
            return mistakable();
        }
        CompletableFuture<Reply<Boolean>> inPlaceOfLease = leases.use(
                key,
                set.expectedStamp(),
                () -> forward(
                        key,
                        new Command.CompareAndSet(key, Command.ABSENT, set.envelope(), set.expiry()),
                        patience.withoutWaiter()));
        if (inPlaceOfLease != null) {
            return inPlaceOfLease;
        }
        leases.voidLease(key);
        return forward(key, set, patience);
    }

    private CompletableFuture<Reply<Boolean>> takeOver(Command.CompareAndSet set, Patience patience) {
        if (set.envelope().isNegative()) {
            return done(Reply.done(false));
        }
        return forward(set.key(), new Command.Get(set.key()), patience).thenApply(reply -> {
            if (!(reply instanceof Reply.Done<Lookup> done)) {
                return reply.as();
            }
            boolean isFree = isFree(done.value());
            if (isFree) {
                leases.takeOver(set.key(), set.envelope().stamp());
            }
            return Reply.done(isFree);
        });
    }

    private CompletableFuture<Reply<Boolean>> remove(Command.CompareAndRemove removal, Patience patience) {
        if (leases.end(removal.key(), removal.expectedStamp())) {
            return done(Reply.done(true));
        }
        leases.voidLease(removal.key());
        return forward(removal.key(), removal, patience);
    }

    /** A lease in this process needs no renewal. */
    private CompletableFuture<Reply<Boolean>> expire(Command.CompareAndExpire expiring, Patience patience) {
        return leases.has(expiring.key(), expiring.expectedStamp())
                ? done(Reply.done(true))
                : forward(expiring.key(), expiring, patience);
    }

    private static CompletableFuture<Reply<Boolean>> mistakable() {
        return done(Reply.refused(Refusal.FORBIDDEN, ENVELOPED));
    }

    private CompletableFuture<Reply<List<Reply<Boolean>>>> putAll(List<Command.Put> puts, Patience patience) {
        puts.forEach(put -> leases.voidLease(put.key()));
        List<Command.Put> storable = puts.stream()
                .filter(put -> !put.envelope().isMistakable(put.key()))
                .toList();
        CompletableFuture<Reply<List<Reply<Boolean>>>> sent =
                next.send(Call.of(new BulkCommand.Put(storable), patience));
        return storable.size() == puts.size()
                ? sent
                : sent.thenApply(reply -> Reply.done(merged(puts, Call.each(reply, storable.size()))));
    }

    private static List<Reply<Boolean>> merged(List<Command.Put> puts, List<Reply<Boolean>> stored) {
        List<Reply<Boolean>> replies = new ArrayList<>(puts.size());
        int answered = 0;
        for (Command.Put put : puts) {
            replies.add(
                    put.envelope().isMistakable(put.key())
                            ? Reply.refused(Refusal.FORBIDDEN, ENVELOPED)
                            : stored.get(answered++));
        }
        return replies;
    }

    private <R> CompletableFuture<Reply<R>> forward(EncodedKey key, Command<R> command, Patience patience) {
        return next.send(Call.of(key, command, patience));
    }

    private static <R> CompletableFuture<Reply<R>> done(Reply<R> reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
