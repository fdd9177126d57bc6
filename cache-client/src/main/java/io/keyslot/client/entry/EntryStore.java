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
 * The decoded entries of one cache. Each method waits for its reply as long as the budget lasts. Thread-safe.
 * <ul>
 * <li>Each method is atomic for each key, across all processes.
 * <li>If a reply is lost, the entry's stamp tells whether the change was made, and a change that was not made is
 * repeated. The outcome is unknown only if that fails.
 * <li>Bytes that cannot be decoded count as no entry, and are reported and removed unless the entry has changed since.
 * </ul>
 */
public interface EntryStore<V> {
    Leases<V> leases();

    EntryReservations<V> reservations();

    /** Returns the entries that a conditional change may assume without a read. */
    AssumedEntries<V> assumed();

    EntryReads<V> reads();

    /** Returns the entry from the owner of its slot, and sets its expiry unless {@code access} is {@code UNCHANGED}. */
    Answer<V> get(EncodedKey key, Expiry access, CallBudget budget);

    /** Returns the entries from the owners of their slots, in the order of the keys. */
    List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget);

    /** Has what is stored under the keys now deleted, now or before its partition is used again. Does not wait. */
    void forget(List<EncodedKey> keys);

    /** Called before all entries are removed one by one: values that are being loaded now are not stored. */
    void clearing();

    Optional<PartitionId> ownerOf(EncodedKey key);

    /** Returns whether to store a loaded value now. A partition that has just come back gets few at a time. */
    boolean admitsLoad(EncodedKey key);

    V copy(V value);

    long newStamp();

    /**
     * Encodes a value for one write; throws {@code LimitExceededException} or {@code CodecException} if that is
     * impossible.
     */
    Envelope encode(V value);

    /** Encodes a value that is fresh until an instant, in milliseconds since 1970; 0 for as long as it is stored. */
    Envelope encode(V value, long freshUntil);

    void put(Command.Put put, CallBudget budget);

    /** Stores entries; returns the failure of each entry, or null, in their order. */
    List<@Nullable KeyslotException> putAll(List<Command.Put> puts, CallBudget budget);

    /**
     * Stores a value if the entry has the expected stamp ({@link Command#ABSENT}: no entry); returns whether it had.
     */
    boolean compareAndSet(EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry, CallBudget budget);

    /** Removes the entry if it has the expected stamp; returns whether it had. */
    boolean compareAndRemove(EncodedKey key, long expectedStamp, CallBudget budget);

    /** Changes the expiry of the entry if it has the expected stamp; returns whether it had. */
    boolean compareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry, CallBudget budget);

    /** Changes the expiry of entries with the expected stamps. Throws only if a partition refuses it for good. */
    void expireAll(List<Command.CompareAndExpire> commands, CallBudget budget);

    /**
     * Stores entries with the expected stamps; returns for each, in their order, whether it is known to be stored.
     * Looks up the outcome of lost replies. Does not throw if a partition cannot be asked. A marker for no value counts
     * as no entry.
     */
    List<Boolean> setAll(List<Command.CompareAndSet> commands, CallBudget budget);

    /** As {@link #setAll}, without looking up lost replies. Throws only if a partition refuses it for good. */
    void offerAll(List<Command.CompareAndSet> commands, CallBudget budget);

    Answer<V> getAndRemove(EncodedKey key, CallBudget budget);

    List<Answer<V>> getAndRemoveAll(List<EncodedKey> keys, CallBudget budget);

    /** Removes the entries; returns the failure of each, or null, in the order of the keys. */
    List<@Nullable KeyslotException> removeAll(List<EncodedKey> keys, CallBudget budget);

    /**
     * Keeps entries only if they have the given values (empty: none). Other values, and leases that could store one,
     * are removed now or before their partition is used again.
     */
    void keepOnly(Map<EncodedKey, Optional<Envelope>> values, CallBudget budget);

    Optional<Description> describe(EncodedKey key, CallBudget budget);

    /** Describes the replicas that answer plain reads of an entry; empty if there are none, or not in time. */
    Optional<ReplicaState> explainReads(EncodedKey key, CallBudget budget);
}
