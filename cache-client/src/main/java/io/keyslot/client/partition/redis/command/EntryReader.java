// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Decodes stored bytes, and has the connection checked if they belong to another key. */
public record EntryReader(CommandWriter writer, int epoch) {
    public Lookup read(EncodedKey key, byte @Nullable [] stored) {
        Lookup lookup = stored == null ? Lookup.absent() : key.form().read(key, epoch, stored);
        examine(lookup.outcome());
        return lookup;
    }

    /** Returns whether a value with this head and length is an entry of the key, which has an envelope. */
    public boolean isEntry(EncodedKey key, byte[] head, int length) {
        Lookup.Outcome outcome = Envelope.outcomeOf(key, epoch, head, length);
        examine(outcome);
        return outcome == Lookup.Outcome.FOUND;
    }

    /** Returns a miss if the read was refused because the key holds no string; null otherwise. */
    @Nullable
    static CompletableFuture<Reply<Lookup>> afterRead(Reply<Lookup> reply) {
        return ServerError.isWrongType(reply)
                ? CompletableFuture.completedFuture(Reply.done(Lookup.without(Lookup.Outcome.MALFORMED)))
                : null;
    }

    private void examine(Lookup.Outcome outcome) {
        if (outcome == Lookup.Outcome.OTHER_KEY) {
            writer.proveInStep();
        }
    }
}
