// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.HeldLeases;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.entry.LoadCause;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The load of an entry that a processor wants to read and that is not there. It takes the entry's lease, from another
 * process if that has it, so that whatever is put or removed while the loader runs makes the processor run again. It keeps
 * the lease until the result is stored, and releases it if none is. For use by one thread.
 */
public final class ProcessorLoad<K, V> implements AutoCloseable {
    private final EntryStore<V> store;
    private final LeaseRenewals renewals;
    private final BoundedLoader<K, V> loader;
    private final K key;
    private final EncodedKey encoded;
    private @Nullable Answer<V> current;
    private @Nullable CallBudget budget;
    private @Nullable Lease lease;
    private @Nullable HeldLeases held;
    private @Nullable KeyslotException failure;

    ProcessorLoad(EntryStore<V> store, LeaseRenewals renewals, BoundedLoader<K, V> loader, K key, EncodedKey encoded) {
        this.store = store;
        this.renewals = renewals;
        this.loader = loader;
        this.key = key;
        this.encoded = encoded;
    }

    /**
     * The processor runs on this, perhaps again; then somebody has changed the entry, and a lease of ours is gone.
     *
     * @param left what is left of the time of this attempt for partitions
     */
    public void begin(Answer<V> seen, CallBudget left) {
        stored();
        current = seen;
        budget = left;
    }

    private CallBudget budget() {
        return Objects.requireNonNull(budget, "begin comes first");
    }

    private HeldLeases held() {
        return Objects.requireNonNull(held, "there is a lease");
    }

    private Answer<V> current() {
        return Objects.requireNonNull(current, "begin comes first");
    }

    /** Returns the value, null if there is none. */
    public @Nullable V load() {
        loader.checkNotWithin(key);
        if (current().stamp() == Command.ABSENT && lease == null) {
            lease = taken(store.leases().ofMissing(encoded));
            held = new HeldLeases(renewals);
            held.add(lease);
        }
        try {
            Loaded<V> loaded = loader.load(key, LoadCause.MISS);
            return loaded == null ? null : loaded.value();
        } catch (CallInterruptedException e) {
            failure = e;
            throw e;
        }
    }

    private Lease taken(Lease.OfMissing mine) {
        Answer<V> now = store.leases().takeAll(List.of(mine), budget()).get(0);
        failure = now.failure();
        if (failure != null) {
            throw failure;
        }
        if (now.leaseStamp() != mine.stamp()) {
            // If somebody has stored the entry, this does not take its place, and the result will not be applied.
            store.leases().takeOverAll(List.of(mine), budget());
        }
        return mine;
    }

    /** Throws again what kept the entry from being loaded, if that is why the processor failed. */
    public void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the stamp that the processor's result has to replace. */
    public long expectedStamp() {
        return lease == null ? current().stamp() : lease.stamp();
    }

    /** The result is in the place of the lease. */
    public void stored() {
        if (lease != null) {
            held().takeAll();
            lease = null;
        }
    }

    /** Releases the lease if it is still there. */
    @Override
    public void close() {
        if (lease != null) {
            store.leases().releaseAll(held().takeAll(), budget());
        }
    }
}
