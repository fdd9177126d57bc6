// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache, decoded, wherever they are. Each method waits for its answer as long as the budget lasts.
 *
 * <ul>
 *   <li>Every method is atomic for each key against those of every other process.
 *   <li>A change whose answer was lost is looked up by its stamp, and made again if it was not executed; only if that says
 *       nothing is the outcome unknown.
 *   <li>Bytes that are not a value count as no entry; they are reported, and removed unless somebody has written since.
 * </ul>
 *
 * <p>Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public interface EntryStore<V> {
    /** Returns the leases and claims of those who find out the values of entries. */
    Leases<V> leases();

    /** Returns the places that are reserved for a writer of this process. */
    EntryReservations<V> reservations();

    /** Returns what entries may be assumed to be by a change that is made only if they are. */
    AssumedEntries<V> assumed();

    /** Returns the plain reads of the application, which a near copy or a replica may answer. */
    EntryReads<V> reads();

    /** Returns what the owner of the slot knows of the entry, and lets it expire at another time unless that is {@code UNCHANGED}. */
    Answer<V> get(EncodedKey key, Expiry access, CallBudget budget);

    /** Returns what the owners of the slots know of the entries, in the order of the keys. */
    List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget);

    /**
     * Makes sure that what is stored under the keys now is not served any more: deletes it now, or before its partition is
     * used again. Does not wait.
     */
    void forget(List<EncodedKey> keys);

    /** All entries are about to be removed, one after the other: what is being loaded now is not stored. */
    void clearing();

    /** Returns the partition that owns the key, or empty if none does. */
    Optional<PartitionId> ownerOf(EncodedKey key);

    /** Returns whether a loaded value should be stored now: not all are at once where a partition has just come back. */
    boolean admitsLoad(EncodedKey key);

    /** Returns an equal value that shares nothing with this one. */
    V copy(V value);

    /** Returns a new stamp. */
    long newStamp();

    /**
     * Encodes a value for one write, before anything is sent or told to a writer.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the value is too large
     * @throws io.keyslot.cache.failure.CodecException if it has no encoded form
     */
    Envelope encode(V value);

    /**
     * Encodes a value that is fresh until an instant, in milliseconds since 1970; 0 for as long as it is stored.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the value is too large
     * @throws io.keyslot.cache.failure.CodecException if it has no encoded form
     */
    Envelope encode(V value, long freshUntil);

    /** Stores a value, whether or not there is an entry. */
    void put(Command.Put put, CallBudget budget);

    /** Stores entries; returns why one was not stored, or null, in their order. */
    List<@Nullable KeyslotException> putAll(List<Command.Put> puts, CallBudget budget);

    /**
     * Stores a value if the entry still has the expected stamp, {@link Command#ABSENT} if there must be none.
     *
     * @return whether it did; if not, nothing was changed, and reading again tells why
     */
    boolean compareAndSet(EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry, CallBudget budget);

    /** Removes the entry if it still has the expected stamp; returns whether it did, and if not, nothing was changed. */
    boolean compareAndRemove(EncodedKey key, long expectedStamp, CallBudget budget);

    /** Lets the entry expire at another time if it still has the expected stamp; returns whether it had. */
    boolean compareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry, CallBudget budget);

    /**
     * Has many entries expire at another time; those that were changed meanwhile stay as they are. Throws only if a partition
     * refuses it for good.
     */
    void expireAll(List<Command.CompareAndExpire> commands, CallBudget budget);

    /**
     * Stores many entries where the present ones have the expected stamps; returns for each, in their order, whether it is
     * known to be stored. What became of a lost answer is looked up. Does not throw if a partition cannot be asked. What says
     * that there is no value is no entry.
     */
    List<Boolean> setAll(List<Command.CompareAndSet> commands, CallBudget budget);

    /** As {@link #setAll}, and does not look up what became of lost answers. Throws only if a partition refuses it for good. */
    void offerAll(List<Command.CompareAndSet> commands, CallBudget budget);

    /** Removes the entry and returns it. */
    Answer<V> getAndRemove(EncodedKey key, CallBudget budget);

    /** Removes the entries and returns them, in the order of the keys. */
    List<Answer<V>> getAndRemoveAll(List<EncodedKey> keys, CallBudget budget);

    /** Removes the entries; returns why one was not removed, or null, in the order of the keys. */
    List<@Nullable KeyslotException> removeAll(List<EncodedKey> keys, CallBudget budget);

    /**
     * Keeps entries only if they have these values, and nothing that could bring another one: what else is there is removed
     * now, or before its partition is used again.
     *
     * @param values what may stay, empty for nothing
     */
    void keepOnly(Map<EncodedKey, Optional<Envelope>> values, CallBudget budget);

    /** Returns what is known of the entry as it is stored, or empty if its partition cannot be asked. */
    Optional<Description> describe(EncodedKey key, CallBudget budget);

    /** Says who answers the plain reads of an entry at present; empty if that is its partition only, or was not found out in time. */
    Optional<ReplicaState> explainReads(EncodedKey key, CallBudget budget);
}
