// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command with its destination and its time. It goes to the owner of the slot of {@code key}, or to {@code partition},
 * or to {@code place} as a part of a bulk command; if all of these are null, it is a bulk command for several owners.
 *
 * @param patience the deadline, and whether the calling thread waits
 * @param mayBeStale whether a replica may answer, and a near cache may keep the answer
 */
public record Call<R>(
        Command<R> command,
        @Nullable EncodedKey key,
        @Nullable PartitionId partition,
        Topology.@Nullable Place place,
        Patience patience,
        boolean mayBeStale) {
    public static <R> Call<R> of(EncodedKey key, Command<R> command, Patience patience) {
        return new Call<>(command, key, null, null, patience, false);
    }

    /** Returns a call to a partition, whatever slots it owns. */
    public static <R> Call<R> of(PartitionId partition, Command<R> command, Patience patience) {
        return new Call<>(command, null, partition, null, patience, false);
    }

    /** Returns a call with a part of a bulk command, which only a newer split may send elsewhere. */
    static <R> Call<R> of(Topology.Place place, Command<R> part, Patience patience) {
        return new Call<>(part, null, null, place, patience, false);
    }

    public static <R> Call<List<Reply<R>>> of(BulkCommand<?, ?, R> command, Patience patience) {
        return of(command, patience, false);
    }

    /** As above, with answers that may be stale. */
    public static <R> Call<List<Reply<R>>> of(BulkCommand<?, ?, R> command, Patience patience, boolean mayBeStale) {
        return new Call<>(command, null, null, null, patience, mayBeStale);
    }

    /** Returns a read whose answer may be stale. */
    public static Call<Lookup> read(EncodedKey key, Patience patience) {
        return new Call<>(new Command.Get(key), key, null, null, patience, true);
    }

    public static Call<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience) {
        return of(new BulkCommand.Get(keys), patience, true);
    }

    /** Returns the reply for each item of a bulk command; what a lost answer means for the whole, it means for each. */
    public static <R> List<Reply<R>> each(Reply<List<Reply<R>>> reply, int count) {
        if (reply instanceof Reply.Done<List<Reply<R>>> done) {
            return done.value();
        }
        return Collections.nCopies(count, reply.as());
    }

    /** Reads the keys without a reply over a channel. Returns all replies, in the order of the keys. */
    public static CompletableFuture<Reply<List<Reply<Lookup>>>> readOthers(
            List<EncodedKey> keys, List<@Nullable Reply<Lookup>> replies, Channel channel, Patience patience) {
        List<EncodedKey> others = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (replies.get(i) == null) {
                others.add(keys.get(i));
            }
        }
        return others.isEmpty()
                ? CompletableFuture.completedFuture(Reply.done(filled(replies, List.of())))
                : channel.send(readAll(others, patience))
                        .thenApply(reply -> Reply.done(filled(replies, each(reply, others.size()))));
    }

    private static List<Reply<Lookup>> filled(List<@Nullable Reply<Lookup>> replies, List<Reply<Lookup>> others) {
        List<Reply<Lookup>> all = new ArrayList<>(replies.size());
        int next = 0;
        for (Reply<Lookup> reply : replies) {
            all.add(reply == null ? others.get(next++) : reply);
        }
        return all;
    }

    /** Returns the place of the destination by this topology, the newest one; null if there is none. */
    Topology.@Nullable Place placeIn(Topology newest) {
        if (key != null) {
            return newest.placeOf(key);
        }
        return partition == null ? place : newest.placeAt(partition);
    }

    /** Returns whether a newer slot map may route the command again without splitting it. */
    boolean isRoutable() {
        return key != null || partition != null;
    }

    String destination() {
        if (key != null) {
            return "slot " + key.slot();
        }
        PartitionId asked = place == null ? partition : place.id();
        return asked == null ? "the owners of its keys" : Partition.nameOf(asked);
    }

    Deadline deadline() {
        return patience.deadline();
    }

    Call<R> withoutWaiter() {
        Patience other = patience.withoutWaiter();
        return other.equals(patience) ? this : new Call<>(command, key, partition, place, other, mayBeStale);
    }
}
