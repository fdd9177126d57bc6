// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.function.Function;

/**
 * The one door to the partitions for a thread that waits: commands about entries, as they are stored, within the time of a
 * call. Each layer has one job: {@link PartitionCalls} waits, {@link SettledCalls} finds out what became of a change whose
 * answer was lost, {@link ObservedCalls} tells who wants to know of changes.
 *
 * <p>Nothing here throws: every failure is a reply. Lists of replies have the order of what was asked. Safe for use by several
 * threads.
 */
interface EntryCalls {
    /** Sends a command about one key that changes no entry, or whose effect the caller finds out itself. */
    <R> Reply<R> ask(EncodedKey key, Command<R> command, CallBudget budget);

    /** As {@link #ask}, in parallel. */
    <R, C extends Command<R>> List<Reply<R>> askAll(List<C> commands, Function<C, EncodedKey> keyOf, CallBudget budget);

    /** Reads entries by those who own their slots. */
    List<Reply<Lookup>> getAll(List<EncodedKey> keys, CallBudget budget);

    /** Changes an entry: stores it, removes it, with or without a condition. A batch of one, for its speed. */
    <R> Reply<R> change(EncodedKey key, Command<R> command, CallBudget budget);

    /** Removes entries and returns them. */
    List<Reply<Lookup>> getAndRemoveAll(List<Command.GetAndRemove> removals, CallBudget budget);

    /** Stores entries. */
    List<Reply<Boolean>> putAll(List<Command.Put> puts, CallBudget budget);

    /** Stores entries where there is what is expected, and finds out what became of lost answers. */
    List<Reply<Boolean>> setAll(List<Command.CompareAndSet> sets, CallBudget budget);

    /** As {@link #setAll}, and leaves lost answers alone. */
    List<Reply<Boolean>> offerAll(List<Command.CompareAndSet> sets, CallBudget budget);

    /** Removes entries; the replies do not tell whether there were any. */
    List<Reply<Boolean>> removeAll(List<EncodedKey> keys, CallBudget budget);

    /** Has everything stored under the keys deleted, now or before it is read again. Does not wait. */
    void forget(List<EncodedKey> keys);
}
