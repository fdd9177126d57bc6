// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.entry;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Reservation;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.large.LargeReads;
import io.keyslot.client.partition.redis.large.PartReads;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends {@link Script#RESERVE} and reads its answer, with the parts of a value that has them. */
public final class Reservations {
    private final CommandWriter writer;
    private final LargeReads largeReads;
    private final PartReads partReads;
    private final Route route;

    public Reservations(CommandWriter writer, LargeReads largeReads, PartReads partReads, Route route) {
        this.writer = writer;
        this.largeReads = largeReads;
        this.partReads = partReads;
        this.route = route;
    }

    /** What the script says: the entry, whose parts may be missing, and how long it would have lived. */
    private record Found(PartReads.Found stored, long expiresInMillis) {}

    @SuppressWarnings("NullAway") // Lettuce does not say that there are nulls in the list
    public CompletableFuture<Reply<Reservation>> reserve(EncodedKey key, List<byte[]> arguments) {
        RoutedCommand<List<Object>, Found> first = writer.script(
                ScriptCall.of(Script.RESERVE, key, arguments),
                RespAnswers.nested(),
                route,
                answer -> read(key, answer));
        return writer.write(first).thenCompose(reply -> Replies.then(reply, found -> whole(key, found, first)));
    }

    private CompletableFuture<Reply<Reservation>> whole(EncodedKey key, Found found, RoutedCommand<?, ?> after) {
        CompletableFuture<Reply<Lookup>> whole = largeReads.rest(key, Reply.done(found.stored()), after);
        return whole.thenApply(reply -> Replies.map(reply, lookup -> new Reservation(lookup, found.expiresInMillis())));
    }

    private Found read(EncodedKey key, List<@Nullable Object> answer) {
        if (answer.size() > 2) {
            throw new IllegalStateException("a reservation has a time and an entry");
        }
        // Where nothing is stored, the server leaves out the second.
        Object stored = answer.size() == 2 ? answer.get(1) : null;
        return new Found(
                partReads.found(key, stored == null ? null : RespAnswers.bytes(stored)),
                RespAnswers.number(answer.get(0)));
    }
}
