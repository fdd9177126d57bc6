// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.Partition;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.routing.Topology.Former;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.client.stored.StoredForm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Brings the entries of a command from the former owner of their slots, which a cold move has given away without a copy,
 * before the command is sent to the new owner. Thread-safe.
 *
 * <ul>
 *   <li>The former owner accepts no writes. A write is sent to the new owner only when the former one has nothing under its
 *       keys any more, so what was overwritten or removed does not come back, whenever the newer entry ends.
 *   <li>An entry is read under a lease at the new owner and stored only while the lease is there: every write ends it. That
 *       also precedes writes, so that no read finds nothing in between.
 *   <li>A process looks for a key once. If the former owner does not answer, reads find what the new one has, and writes are
 *       refused.
 *   <li>Entries with raw values are not brought, as they have no leases.
 * </ul>
 */
record ColdKeys(RandomGenerator random) {
    /** The most keys that are known to be gone from a former owner; the others are looked for again. */
    private static final int MOST_KNOWN = 100_000;

    private static final Expiry LEASE = Expiry.afterMillis(1_000);

    /** The bits of a stamp that are random; the others tell these leases, which end soon, from those of loads. */
    private static final int RANDOM_BITS = 44;

    private static final long OURS = 0x5C01DL;

    private static final CompletableFuture<Reply<Boolean>> DONE = CompletableFuture.completedFuture(Reply.done(true));

    <R> CompletableFuture<Reply<R>> send(
            Command<R> command, Partition owner, Topology.Place place, Former former, Patience patience) {
        List<EncodedKey> all = Stream.concat(command.consulted().stream(), command.keys().stream())
                .filter(key -> !key.isOfGroup())
                .distinct()
                .toList();
        boolean isPending = all.stream().anyMatch(former.partition()::hasPending);
        List<EncodedKey> keys =
                all.stream().filter(key -> !former.gone().contains(key)).toList();
        if (!isPending && keys.isEmpty()) {
            return owner.send(command, place.route(), patience);
        }
        Patience later = patience.withoutWaiter();
        CompletableFuture<Reply<Boolean>> settled = isPending
                ? CompletableFuture.completedFuture(Reply.done(false))
                : new Settling(owner, place, former, later).settle(keys);
        return settled.thenCompose(reply -> {
            boolean isAgain = reply instanceof Reply.Refused<Boolean> refused
                    ? refused.refusal().isWorthAnotherAttempt()
                    : reply instanceof Reply.Done && !isTrue(reply);
            if (isTrue(reply) || (!isAgain && !command.isWrite())) {
                return owner.send(command, place.route(), later);
            }
            return CompletableFuture.completedFuture(
                    reply instanceof Reply.Refused<Boolean> refused
                            ? refused.as()
                            : Reply.refused(
                                    isAgain && former.partition().isAsked() ? Refusal.NOT_NOW : Refusal.UNAVAILABLE,
                                    former.partition().place() + " may still have the entry"));
        });
    }

    /** The steps before one command. */
    private final class Settling {
        private final Partition owner;
        private final Topology.Place place;
        private final Former former;
        private final Patience patience;

        Settling(Partition owner, Topology.Place place, Former former, Patience patience) {
            this.owner = owner;
            this.place = place;
            this.former = former;
            this.patience = patience;
        }

        private <R> CompletableFuture<Reply<R>> atOwner(Command<R> command) {
            return owner.send(command, place.route(), patience);
        }

        private <R> CompletableFuture<Reply<R>> atFormer(Command<R> command) {
            return former.partition().send(command, place.route().withoutFence(), patience);
        }

        /** Answers true if the former owner has nothing under these keys any more, false if another attempt may help. */
        CompletableFuture<Reply<Boolean>> settle(List<EncodedKey> keys) {
            return then(atFormer(new SlotTransfer.Weights(keys)), weights -> {
                List<EncodedKey> left = new ArrayList<>();
                for (int i = 0; i < keys.size(); i++) {
                    if (weights.get(i) > 0) {
                        left.add(keys.get(i));
                    }
                }
                CompletableFuture<Reply<Boolean>> settled = DONE;
                for (EncodedKey key : left) {
                    if (key.form() != StoredForm.RAW) {
                        EncodedKey alone = new EncodedKey(key.bytes()); // to bring it is no change for a feed
                        settled = settled.thenCombine(bring(alone), (before, one) -> isTrue(before) ? one : before);
                    }
                }
                if (!left.isEmpty()) {
                    Guard guard =
                            new Guard(SlotFence.State.MOVED, former.move(), MapStamp.HIGHEST_VERSION, former.slots());
                    settled = ifTrue(settled, () -> atFormer(new SlotTransfer.Purge(guard, left)));
                }
                return settled.thenApply(reply -> {
                    if (isTrue(reply)) {
                        remember(keys);
                    }
                    return reply;
                });
            });
        }

        private void remember(List<EncodedKey> keys) {
            if (former.gone().size() > MOST_KNOWN) {
                former.gone().clear();
            }
            former.gone().addAll(keys);
        }

        /** Brings one entry, if there is one; answers false if another process is bringing it, or it was changed. */
        private CompletableFuture<Reply<Boolean>> bring(EncodedKey key) {
            long stamp = OURS << RANDOM_BITS | random.nextLong(1L << RANDOM_BITS);
            return then(
                    atOwner(new Command.Lease(key, stamp, LEASE)),
                    now -> now.leaseStamp() == stamp
                            ? take(key, stamp)
                            : CompletableFuture.completedFuture(Reply.done(now.leaseStamp() >>> RANDOM_BITS != OURS)));
        }

        private CompletableFuture<Reply<Boolean>> take(EncodedKey key, long stamp) {
            long start = patience.deadline().remainingNanos();
            return atFormer(new Command.Describe(key)).thenCompose(reply -> {
                Envelope found = reply instanceof Reply.Done<Command.Description> done
                        ? done.value().lookup().envelope()
                        : null;
                if (found == null) {
                    return atOwner(new Command.CompareAndRemove(key, stamp))
                            .thenApply(released -> reply.map(nothing -> true));
                }
                return then(CompletableFuture.completedFuture(reply), entry -> {
                    long passed = start - patience.deadline().remainingNanos();
                    long left = entry.expiresInMillis() - TimeUnit.NANOSECONDS.toMillis(passed);
                    Expiry expiry = entry.expiresInMillis() < 0 ? Expiry.NEVER : Expiry.afterMillis(Math.max(1, left));
                    return atOwner(new Command.CompareAndSet(key, stamp, found, expiry));
                });
            });
        }
    }

    private static boolean isTrue(Reply<Boolean> reply) {
        return reply instanceof Reply.Done<Boolean> done && done.value();
    }

    private static CompletableFuture<Reply<Boolean>> ifTrue(
            CompletableFuture<Reply<Boolean>> first, Supplier<CompletableFuture<Reply<Boolean>>> next) {
        return first.thenCompose(reply -> isTrue(reply) ? next.get() : CompletableFuture.completedFuture(reply));
    }

    private static <A> CompletableFuture<Reply<Boolean>> then(
            CompletableFuture<Reply<A>> first, Function<A, CompletableFuture<Reply<Boolean>>> next) {
        return first.thenCompose(reply -> reply.then(next));
    }
}
