// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Reservation;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends {@link Script#RESERVE} and decodes its reply. */
public final class Reservations {
    private final CommandWriter writer;
    private final EntryReader reader;
    private final Route route;

    public Reservations(CommandWriter writer, EntryReader reader, Route route) {
        this.writer = writer;
        this.reader = reader;
        this.route = route;
    }

    @SuppressWarnings("NullAway") // Lettuce does not declare nulls in the list.
    public CompletableFuture<Reply<Reservation>> reserve(EncodedKey key, List<byte[]> arguments) {
        return writer.write(writer.script(
                ScriptCall.of(Script.RESERVE, key, arguments),
                RespAnswers.nested(),
                route,
                answer -> read(key, answer)));
    }

    private Reservation read(EncodedKey key, List<@Nullable Object> answer) {
        if (answer.size() > 2) {
            throw new IllegalStateException("a reservation has a time and an entry");
        }
        // The server omits the second element if nothing is stored.
        Object stored = answer.size() == 2 ? answer.get(1) : null;
        return new Reservation(
                reader.read(key, stored == null ? null : RespAnswers.bytes(stored)), RespAnswers.number(answer.get(0)));
    }
}
