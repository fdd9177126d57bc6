// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Fills a near cache: reads that may be stale are sent as tracked reads, and their answers are kept. Where that is not possible,
 * and for all other commands, the next channel is used.
 */
record NearChannel(Channel next, NearReservations places, PartitionRouter router, Ticker ticker) implements Channel {
    /** A read whose place in the near cache is reserved. */
    record Reserved(EncodedKey key, Object place, NearReservations.NearReservation reservation) {}

    @Override
    @SuppressWarnings("unchecked") // the type of the answer follows from the command's
    public <R> CompletableFuture<Reply<R>> send(Call<R> call) {
        if (call.mayBeStale() && call.command() instanceof Command.Get get) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) read(get.key(), call.patience());
        }
        if (call.mayBeStale() && call.command() instanceof BulkCommand.Get get) {
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) readAll(get.items(), call.patience());
        }
        return next.send(call);
    }

    private CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        Reserved reserved = places.reserve(key);
        if (reserved == null) {
            return next.send(Call.read(key, patience));
        }
        long sentAt = ticker.nanos(); // after the reservation, before the sending
        CompletableFuture<Reply<TrackedLookup>> sent = router.send(key, new Command.GetTracked(key), patience);
        Reply<TrackedLookup> known = Futures.valueOf(sent);
        return known == null
                ? sent.thenCompose(late -> orUntracked(key, kept(reserved, sentAt, late), patience.withoutWaiter()))
                : orUntracked(key, kept(reserved, sentAt, known), patience);
    }

    private CompletableFuture<Reply<Lookup>> orUntracked(EncodedKey key, Reply<Lookup> reply, Patience patience) {
        return isUntracked(reply) ? next.send(Call.read(key, patience)) : CompletableFuture.completedFuture(reply);
    }

    private Reply<Lookup> kept(Reserved reserved, long sentAt, Reply<TrackedLookup> reply) {
        if (reply instanceof Reply.Done<TrackedLookup> done) {
            places.answered(reserved, sentAt, done.value());
            return Reply.done(done.value().lookup());
        }
        places.release(reserved);
        return reply.as();
    }

    /** A new connection does not track yet. */
    private static boolean isUntracked(Reply<Lookup> reply) {
        return reply.isRefused(Refusal.FORBIDDEN);
    }

    private CompletableFuture<Reply<List<Reply<Lookup>>>> readAll(List<EncodedKey> keys, Patience patience) {
        List<@Nullable Reserved> reserved = new ArrayList<>(keys.size());
        List<EncodedKey> tracked = new ArrayList<>(keys.size());
        for (EncodedKey key : keys) {
            Reserved place = places.reserve(key);
            reserved.add(place);
            if (place != null) {
                tracked.add(key);
            }
        }
        if (tracked.isEmpty()) {
            return next.send(Call.readAll(keys, patience));
        }
        long sentAt = ticker.nanos();
        CompletableFuture<Reply<List<Reply<TrackedLookup>>>> sent =
                router.send(Call.of(new BulkCommand.GetTracked(tracked), patience));
        Reply<List<Reply<TrackedLookup>>> known = Futures.valueOf(sent);
        return known == null
                ? sent.thenCompose(late ->
                        together(keys, reserved, sentAt, Call.each(late, tracked.size()), patience.withoutWaiter()))
                : together(keys, reserved, sentAt, Call.each(known, tracked.size()), patience);
    }

    private CompletableFuture<Reply<List<Reply<Lookup>>>> together(
            List<EncodedKey> keys,
            List<@Nullable Reserved> reserved,
            long sentAt,
            List<Reply<TrackedLookup>> tracked,
            Patience patience) {
        List<@Nullable Reply<Lookup>> replies = new ArrayList<>(keys.size());
        List<EncodedKey> others = new ArrayList<>();
        int answered = 0;
        for (int i = 0; i < keys.size(); i++) {
            Reserved place = reserved.get(i);
            Reply<Lookup> reply = place == null ? null : kept(place, sentAt, tracked.get(answered++));
            boolean isAnswered = reply != null && !isUntracked(reply);
            replies.add(isAnswered ? reply : null);
            if (!isAnswered) {
                others.add(keys.get(i));
            }
        }
        return others.isEmpty()
                ? CompletableFuture.completedFuture(Reply.done(filled(replies, List.of())))
                : next.send(Call.readAll(others, patience))
                        .thenApply(untracked -> Reply.done(filled(replies, Call.each(untracked, others.size()))));
    }

    private static List<Reply<Lookup>> filled(List<@Nullable Reply<Lookup>> replies, List<Reply<Lookup>> others) {
        List<Reply<Lookup>> all = new ArrayList<>(replies.size());
        int filled = 0;
        for (Reply<Lookup> reply : replies) {
            all.add(reply == null ? others.get(filled++) : reply);
        }
        return all;
    }
}
