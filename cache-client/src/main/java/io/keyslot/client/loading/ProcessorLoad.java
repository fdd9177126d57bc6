// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.statistics.LoadCause;
import io.keyslot.client.time.CallBudget;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The load of an entry that a processor wants to read and that is not there. It takes the entry's place by a lease, another
 * process's lease included, so that whatever is put or removed while the loader runs makes the processor run again. It
 * keeps the lease until the result is stored, and gives it up if none is. For use by one thread.
 */
public final class ProcessorLoad<K, V> implements AutoCloseable {
    private final EntryStore<V> store;
    private final LoadPlaces<V> places;
    private final Fills<K, V> fills;
    private final LoaderDoor<K, V> door;
    private final K key;
    private final EncodedKey encoded;
    private @Nullable Answer<V> current;
    private @Nullable CallBudget budget;
    private long lease;
    private LeaseRenewals.@Nullable Held held;
    private @Nullable KeyslotException failure;

    ProcessorLoad(
            EntryStore<V> store,
            LoadPlaces<V> places,
            Fills<K, V> fills,
            LoaderDoor<K, V> door,
            K key,
            EncodedKey encoded) {
        this.store = store;
        this.places = places;
        this.fills = fills;
        this.door = door;
        this.key = key;
        this.encoded = encoded;
    }

    /**
     * The processor runs on this, perhaps again; then somebody has changed the entry, and a lease of ours is gone.
     *
     * @param left what is left of the time of this attempt for partitions
     */
    public void begin(Answer<V> seen, CallBudget left) {
        letGo();
        current = seen;
        budget = left;
        lease = 0;
    }

    private CallBudget budget() {
        return Objects.requireNonNull(budget, "begin comes first");
    }

    private Answer<V> current() {
        return Objects.requireNonNull(current, "begin comes first");
    }

    @Nullable
    public V load() {
        door.checkNotWithin(key);
        if (current().stamp() == Command.ABSENT && lease == 0) {
            takeLease();
        }
        Loaded<V> loaded = door.load(key, LoadCause.MISS);
        return loaded == null ? null : loaded.value();
    }

    private void takeLease() {
        long mine = store.newStamp();
        Answer<V> now = store.leases().take(encoded, mine, LeaseRenewals.expiry(), budget());
        failure = now.failure();
        if (failure != null) {
            throw failure;
        }
        if (now.leaseStamp() != mine) {
            // If somebody has stored the entry, this does not take its place, and the result will not be applied.
            store.leases().takeOver(List.of(new Command.Lease(encoded, mine, LeaseRenewals.expiry())), budget());
        }
        lease = mine;
        held = places.leases().hold(encoded, mine);
    }

    /** Throws again what kept the entry from being loaded, if that is why the processor failed. */
    public void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the stamp that the processor's result has to replace. */
    public long expectedStamp() {
        return lease == 0 ? current().stamp() : lease;
    }

    /** The result is in the place of the lease. */
    public void stored() {
        letGo();
        lease = 0;
    }

    private void letGo() {
        if (held != null) {
            held.close();
            held = null;
        }
    }

    /** Gives up the lease if it is still there. */
    @Override
    public void close() {
        letGo();
        if (lease != 0) {
            fills.release(encoded, lease, budget());
        }
    }
}
