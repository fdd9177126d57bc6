// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command with its destination and its time.
 *
 * @param patience the deadline, and whether the calling thread waits
 * @param mayBeStale whether a replica may answer, and a near cache may keep the answer
 */
public record Call<R>(Target target, Command<R> command, Patience patience, boolean mayBeStale) {
    /** Creates a call that the owner of the data answers. */
    public Call(Target target, Command<R> command, Patience patience) {
        this(target, command, patience, false);
    }

    /** Returns a call to the owner of a key's slot. */
    public static <R> Call<R> of(EncodedKey key, Command<R> command, Patience patience) {
        return new Call<>(new Target.Home(key), command, patience);
    }

    /** Returns a call to a partition, whatever slots it owns. */
    public static <R> Call<R> of(PartitionId partition, Command<R> command, Patience patience) {
        return new Call<>(new Target.Whole(partition), command, patience);
    }

    /** Returns a call to the owners of all items of a bulk command. */
    public static <R> Call<List<Reply<R>>> of(BulkCommand<?, ?, R> command, Patience patience) {
        return of(command, patience, false);
    }

    /** As above, with answers that may be stale. */
    public static <R> Call<List<Reply<R>>> of(BulkCommand<?, ?, R> command, Patience patience, boolean mayBeStale) {
        return new Call<>(Target.Owners.ALL, command, patience, mayBeStale);
    }

    /** Returns a read whose answer may be stale. */
    public static Call<Lookup> read(EncodedKey key, Patience patience) {
        return new Call<>(new Target.Home(key), new Command.Get(key), patience, true);
    }

    /** Returns a read of several entries, whose answers may be stale. */
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

    /** Returns the key that decides the slot; null if there are several, or none. */
    public @Nullable EncodedKey key() {
        return target instanceof Target.Home home ? home.key() : null;
    }

    Deadline deadline() {
        return patience.deadline();
    }

    /** Returns the same call for another thread, which must not wait. */
    Call<R> withoutWaiter() {
        boolean isWithout = patience.waiter() == null && !patience.isAhead();
        return isWithout ? this : new Call<>(target, command, patience.withoutWaiter(), mayBeStale);
    }
}
