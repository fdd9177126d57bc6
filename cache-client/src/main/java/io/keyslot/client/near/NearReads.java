// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.ReadSender;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads entries with tracking and keeps the results. Where tracking is impossible, it reads without the near cache. */
final class NearReads implements ReadSender {
    private final NearReservations places;
    private final PartitionRouter router;
    private final Ticker ticker;
    private final ReadSender plain;

    NearReads(NearReservations places, PartitionRouter router, Ticker ticker, ReadSender plain) {
        this.places = places;
        this.router = router;
        this.ticker = ticker;
        this.plain = plain;
    }

    record Reserved(EncodedKey key, Object place, NearReservation reservation) {}

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        Reserved reserved = places.reserve(key);
        if (reserved == null) {
            return plain.read(key, patience);
        }
        long sentAt = ticker.nanos(); // after the reservation, before the sending
        CompletableFuture<Reply<TrackedLookup>> sent = router.send(key, new Command.GetTracked(key), patience);
        Reply<TrackedLookup> known = Futures.valueOf(sent);
        if (known != null) {
            Reply<Lookup> reply = kept(reserved, sentAt, known);
            return isUntracked(reply) ? plain.read(key, patience) : CompletableFuture.completedFuture(reply);
        }
        return sent.thenCompose(late -> {
            Reply<Lookup> reply = kept(reserved, sentAt, late);
            return isUntracked(reply)
                    ? plain.read(key, patience.withoutWaiter())
                    : CompletableFuture.completedFuture(reply);
        });
    }

    private Reply<Lookup> kept(Reserved reserved, long sentAt, Reply<TrackedLookup> reply) {
        if (reply instanceof Reply.Done<TrackedLookup> done) {
            places.answered(reserved, sentAt, done.value());
            return Reply.done(done.value().lookup());
        }
        places.release(reserved);
        return reply instanceof Reply.Refused<TrackedLookup> refused
                ? refused.as()
                : ((Reply.Unknown<TrackedLookup>) reply).as();
    }

    /** A new connection does not track yet. */
    private static boolean isUntracked(Reply<Lookup> reply) {
        return reply instanceof Reply.Refused<Lookup> refused && refused.refusal() == Refusal.FORBIDDEN;
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience) {
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
            return plain.readAll(keys, patience);
        }
        long sentAt = ticker.nanos();
        CompletableFuture<List<Reply<TrackedLookup>>> sent = router.getAllTracked(tracked, patience);
        List<Reply<TrackedLookup>> known = Futures.valueOf(sent);
        return known == null
                ? sent.thenCompose(late -> together(keys, reserved, sentAt, late, patience.withoutWaiter()))
                : together(keys, reserved, sentAt, known, patience);
    }

    private CompletableFuture<List<Reply<Lookup>>> together(
            List<EncodedKey> keys,
            List<@Nullable Reserved> reserved,
            long sentAt,
            List<Reply<TrackedLookup>> tracked,
            Patience patience) {
        List<@Nullable Reply<Lookup>> replies = new ArrayList<>(keys.size());
        List<EncodedKey> others = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < keys.size(); i++) {
            Reserved place = reserved.get(i);
            Reply<Lookup> reply = place == null ? null : kept(place, sentAt, tracked.get(next++));
            boolean isAnswered = reply != null && !isUntracked(reply);
            replies.add(isAnswered ? reply : null);
            if (!isAnswered) {
                others.add(keys.get(i));
            }
        }
        return others.isEmpty()
                ? CompletableFuture.completedFuture(filled(replies, List.of()))
                : plain.readAll(others, patience).thenApply(plainly -> filled(replies, plainly));
    }

    private static List<Reply<Lookup>> filled(List<@Nullable Reply<Lookup>> replies, List<Reply<Lookup>> others) {
        List<Reply<Lookup>> all = new ArrayList<>(replies.size());
        int next = 0;
        for (Reply<Lookup> reply : replies) {
            all.add(reply == null ? others.get(next++) : reply);
        }
        return all;
    }
}
