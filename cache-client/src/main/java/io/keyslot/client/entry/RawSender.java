// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends commands about entries without envelopes. Leases exist in this process only ({@link LocalLeases}); a value that
 * is stored under one requires that there is no entry. Commands that need an envelope, for a missing value or a
 * reservation, are refused; the configuration of raw caches excludes them.
 */
public final class RawSender implements EntrySender {
    private static final String ENVELOPED =
            "the value reads as one that stands behind a header of Keyslot for this key, and could not be told from it;"
                    + " store another one";

    private final EntrySender sender;
    private final LocalLeases leases = new LocalLeases();

    public RawSender(EntrySender sender) {
        this.sender = sender;
    }

    @Override
    @SuppressWarnings("unchecked") // the command determines the type of the reply
    public <R> CompletableFuture<Reply<R>> send(EncodedKey key, Command<R> command, Patience patience) {
        if (command instanceof Command.Get
                || command instanceof Command.GetAndExpire
                || command instanceof Command.Describe) {
            return sender.send(key, command, patience);
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
        } else if (command instanceof Command.GetAndRemove) {
            leases.voidLease(key);
            return sender.send(key, command, patience);
        }
        return done(Reply.refused(Refusal.FORBIDDEN, command.name() + " needs a header, and values are raw"));
    }

    private CompletableFuture<Reply<Boolean>> put(Command.Put put, Patience patience) {
        leases.voidLease(put.key());
        return isMistakable(put.key(), put.envelope()) ? mistakable() : sender.send(put.key(), put, patience);
    }

    /** Takes a lease if there is no entry, even if there are other bytes. */
    private CompletableFuture<Reply<Lookup>> lease(Command.Lease lease, Patience patience) {
        return sender.send(lease.key(), new Command.Get(lease.key()), patience).thenApply(reply -> {
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
        } else if (isMistakable(key, set.envelope())) {
            return mistakable();
        }
        CompletableFuture<Reply<Boolean>> inPlaceOfLease = leases.use(
                key,
                set.expectedStamp(),
                () -> sender.send(
                        key,
                        new Command.CompareAndSet(key, Command.ABSENT, set.envelope(), set.expiry()),
                        patience.withoutWaiter()));
        if (inPlaceOfLease != null) {
            return inPlaceOfLease;
        }
        leases.voidLease(key);
        return sender.send(key, set, patience);
    }

    private CompletableFuture<Reply<Boolean>> takeOver(Command.CompareAndSet set, Patience patience) {
        if (set.envelope().isNegative()) {
            return done(Reply.done(false));
        }
        return sender.send(set.key(), new Command.Get(set.key()), patience).thenApply(reply -> {
            if (!(reply instanceof Reply.Done<Lookup> done)) {
                return reply instanceof Reply.Refused<Lookup> refused
                        ? refused.as()
                        : ((Reply.Unknown<Lookup>) reply).as();
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
        return sender.send(removal.key(), removal, patience);
    }

    /** A lease in this process needs no renewal. */
    private CompletableFuture<Reply<Boolean>> expire(Command.CompareAndExpire expiring, Patience patience) {
        return leases.has(expiring.key(), expiring.expectedStamp())
                ? done(Reply.done(true))
                : sender.send(expiring.key(), expiring, patience);
    }

    /** Returns whether a value looks like an entry with an envelope, which would change when its slot moves. */
    private static boolean isMistakable(EncodedKey key, Envelope envelope) {
        return envelope.isMistakable(key);
    }

    private static CompletableFuture<Reply<Boolean>> mistakable() {
        return done(Reply.refused(Refusal.FORBIDDEN, ENVELOPED));
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> putAll(List<Command.Put> puts, Patience patience) {
        puts.forEach(put -> leases.voidLease(put.key()));
        List<Command.Put> storable = puts.stream()
                .filter(put -> !isMistakable(put.key(), put.envelope()))
                .toList();
        if (storable.size() == puts.size()) {
            return sender.putAll(puts, patience);
        }
        return sender.putAll(storable, patience).thenApply(replies -> merged(puts, replies));
    }

    private static List<Reply<Boolean>> merged(List<Command.Put> puts, List<Reply<Boolean>> stored) {
        List<Reply<Boolean>> replies = new ArrayList<>(puts.size());
        int next = 0;
        for (Command.Put put : puts) {
            replies.add(
                    isMistakable(put.key(), put.envelope())
                            ? Reply.refused(Refusal.FORBIDDEN, ENVELOPED)
                            : stored.get(next++));
        }
        return replies;
    }

    @Override
    public CompletableFuture<List<Reply<Boolean>>> removeAll(List<EncodedKey> keys, Patience patience) {
        keys.forEach(leases::voidLease);
        return sender.removeAll(keys, patience);
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> getAll(List<EncodedKey> keys, Patience patience) {
        return sender.getAll(keys, patience);
    }

    @Override
    public ReadSender reads() {
        return sender.reads();
    }

    @Override
    public void clearing() {
        leases.voidAll();
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        keys.forEach(leases::voidLease);
        sender.forget(keys);
    }

    private static <R> CompletableFuture<Reply<R>> done(Reply<R> reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
