// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.call.ReadSender;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Patience;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads that others than the owner of a slot may answer. What they say may be newer than what the owner has told of, so an answer takes
 * our copy away. Nobody's answer does not: where all are missing, the copy is all there is.
 */
final class ReadsPast implements ReadSender {
    private final NearPlaces places;
    private final ReadSender reads;

    ReadsPast(NearPlaces places, ReadSender reads) {
        this.places = places;
        this.reads = reads;
    }

    @Override
    public CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience) {
        return reads.read(key, patience).thenApply(reply -> {
            answered(key, reply);
            return reply;
        });
    }

    @Override
    public CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience) {
        return reads.readAll(keys, patience).thenApply(replies -> {
            for (int i = 0; i < keys.size(); i++) {
                answered(keys.get(i), replies.get(i));
            }
            return replies;
        });
    }

    private void answered(EncodedKey key, Reply<Lookup> reply) {
        if (reply instanceof Reply.Done) {
            places.kill(List.of(key));
        }
    }
}
