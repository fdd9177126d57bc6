// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.health.Partition;
import io.keyslot.client.near.NearEntries.Reservation;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topology;
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
record NearChannel(Channel next, NearEntries copies, NearCaches all, PartitionRouter router, Ticker ticker)
        implements Channel {
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
        Reservation reserved = reserve(key);
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

    /** Reserves the place of an entry before it is read; null if its invalidations would not be received. */
    private @Nullable Reservation reserve(EncodedKey key) {
        // Before the connection: if the slot moves between the two, it was here by this version.
        Topology now = router.topology();
        Topology.Place owner = now.placeOf(key);
        Partition partition = owner == null || owner.route().isFenced() ? null : owner.partition();
        TrackedConnection link = partition == null ? null : all.of(partition);
        return link == null ? null : copies.reserve(key, link, now.slotOf(key), now.version());
    }

    /** Keeps what was found if its reservation is still there. */
    private Reply<Lookup> kept(Reservation reserved, long sentAt, Reply<TrackedLookup> reply) {
        // The reply came over this connection: while it is alive there was no other one, and while the slot has not
        // moved, no other partition was asked for it.
        if (reply instanceof Reply.Done<TrackedLookup> done
                && reserved.link.isAlive()
                && all.slots().isStill(reserved.slot, reserved.version)) {
            if (!all.isOfCluster()) {
                reserved.link.confirm(sentAt);
            }
            copies.fill(reserved, sentAt, done.value());
        } else {
            copies.release(reserved);
        }
        return reply.map(TrackedLookup::lookup);
    }

    /** A new connection does not track yet. */
    private static boolean isUntracked(Reply<Lookup> reply) {
        return reply.isRefused(Refusal.FORBIDDEN);
    }

    private CompletableFuture<Reply<List<Reply<Lookup>>>> readAll(List<EncodedKey> keys, Patience patience) {
        List<@Nullable Reservation> reserved = new ArrayList<>(keys.size());
        List<EncodedKey> tracked = new ArrayList<>(keys.size());
        for (EncodedKey key : keys) {
            Reservation place = reserve(key);
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
            List<@Nullable Reservation> reserved,
            long sentAt,
            List<Reply<TrackedLookup>> tracked,
            Patience patience) {
        List<@Nullable Reply<Lookup>> replies = new ArrayList<>(keys.size());
        int answered = 0;
        for (int i = 0; i < keys.size(); i++) {
            Reservation place = reserved.get(i);
            Reply<Lookup> reply = place == null ? null : kept(place, sentAt, tracked.get(answered++));
            replies.add(reply == null || isUntracked(reply) ? null : reply);
        }
        return Call.readOthers(keys, replies, next, patience);
    }
}
