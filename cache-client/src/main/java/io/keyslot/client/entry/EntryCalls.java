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
 * Sends commands about stored entries and waits for the replies within the budget of a call. {@link PartitionCalls}
 * waits, {@link SettledCalls} finds the outcome of changes whose reply was lost, {@link ObservedCalls} reports changes.
 *
 * <p>These methods do not throw: every failure is a reply. Lists of replies have the order of the request. Thread-safe.
 */
interface EntryCalls {
    /** Sends a command that changes no entry, or whose outcome the caller determines itself. */
    <R> Reply<R> ask(EncodedKey key, Command<R> command, CallBudget budget);

    <R, C extends Command<R>> List<Reply<R>> askAll(List<C> commands, Function<C, EncodedKey> keyOf, CallBudget budget);

    List<Reply<Lookup>> getAll(List<EncodedKey> keys, CallBudget budget);

    /** Changes an entry. For one entry, this is faster than a batch. */
    <R> Reply<R> change(EncodedKey key, Command<R> command, CallBudget budget);

    List<Reply<Lookup>> getAndRemoveAll(List<Command.GetAndRemove> removals, CallBudget budget);

    List<Reply<Boolean>> putAll(List<Command.Put> puts, CallBudget budget);

    /** Stores entries that have the expected stamps, and finds the outcome if a reply was lost. */
    List<Reply<Boolean>> setAll(List<Command.CompareAndSet> sets, CallBudget budget);

    /** As {@link #setAll}, but does not find the outcome if a reply was lost. */
    List<Reply<Boolean>> offerAll(List<Command.CompareAndSet> sets, CallBudget budget);

    /** Removes entries; the replies do not say whether they existed. */
    List<Reply<Boolean>> removeAll(List<EncodedKey> keys, CallBudget budget);

    /** Has everything stored under the keys deleted, now or before it is read again. Does not wait. */
    void forget(List<EncodedKey> keys);
}
