// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Collects the replies of several servers to a read of several keys. Thread-safe. */
final class GatheredReads {
    private final List<EncodedKey> keys;
    private final List<@Nullable Reply<Lookup>> replies; // guarded by this

    GatheredReads(List<EncodedKey> keys) {
        this.keys = List.copyOf(keys);
        this.replies = new ArrayList<>(Collections.nCopies(keys.size(), null));
    }

    synchronized void put(List<Integer> indexes, List<ReplicaJudge.Judgement> judged) {
        for (int i = 0; i < judged.size(); i++) {
            Lookup found = judged.get(i).found();
            if (found != null) {
                replies.set(indexes.get(i), Reply.done(found));
            }
        }
    }

    /** Reads the missing entries over another channel, and returns all replies in the order of the keys. */
    CompletableFuture<Reply<List<Reply<Lookup>>>> andOthers(Channel others, Patience patience) {
        List<EncodedKey> missing = missing();
        return missing.isEmpty()
                ? CompletableFuture.completedFuture(Reply.done(filled(List.of())))
                : others.send(Call.readAll(missing, patience))
                        .thenApply(reply -> Reply.done(filled(Call.each(reply, missing.size()))));
    }

    private synchronized List<EncodedKey> missing() {
        List<EncodedKey> missing = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (replies.get(i) == null) {
                missing.add(keys.get(i));
            }
        }
        return missing;
    }

    private synchronized List<Reply<Lookup>> filled(List<Reply<Lookup>> others) {
        List<Reply<Lookup>> all = new ArrayList<>(replies.size());
        int next = 0;
        for (Reply<Lookup> reply : replies) {
            all.add(reply == null ? others.get(next++) : reply);
        }
        return all;
    }
}
