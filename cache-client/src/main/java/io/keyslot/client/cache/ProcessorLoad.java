// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.cache.BoundedLoader.Loaded;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The load of a missing entry that a processor reads. It takes the entry's lease, even from another process, so that a
 * change of the entry while the loader runs makes the processor run again. It holds the lease until the result is
 * stored, and releases it otherwise. For use by one thread.
 */
final class ProcessorLoad<K, V> implements AutoCloseable {
    private final EntryStore<V> store;
    private final LeaseRenewals renewals;
    private final BoundedLoader<K, V> loader;
    private final K key;
    private final EncodedKey encoded;
    private @Nullable Answer<V> current;
    private @Nullable CallBudget budget;
    private @Nullable Lease lease;
    private LeaseRenewals.@Nullable Held held;
    private @Nullable KeyslotException failure;

    ProcessorLoad(EntryStore<V> store, LeaseRenewals renewals, BoundedLoader<K, V> loader, K key, EncodedKey encoded) {
        this.store = store;
        this.renewals = renewals;
        this.loader = loader;
        this.key = key;
        this.encoded = encoded;
    }

    /**
     * Begins a run of the processor. If it runs again, the entry has changed, and the previous lease has ended.
     * {@code left} is the remaining time of this attempt for partitions.
     */
    public void begin(Answer<V> seen, CallBudget left) {
        stored();
        current = seen;
        budget = left;
    }

    private CallBudget budget() {
        return Objects.requireNonNull(budget, "begin comes first");
    }

    private LeaseRenewals.Held held() {
        return Objects.requireNonNull(held, "there is a lease");
    }

    private Answer<V> current() {
        return Objects.requireNonNull(current, "begin comes first");
    }

    public @Nullable V load() {
        loader.checkNotWithin(key);
        if (current().stamp() == Command.ABSENT && lease == null) {
            lease = taken(store.leases().ofMissing(encoded));
            held = renewals.hold();
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
            // If the entry was stored meanwhile, this fails, and the processor's result will not be applied.
            store.leases().takeOverAll(List.of(mine), budget());
        }
        return mine;
    }

    public void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the stamp that the processor's result has to replace. */
    public long expectedStamp() {
        return lease == null ? current().stamp() : lease.stamp();
    }

    /** Drops the lease, which the result has replaced. */
    public void stored() {
        if (lease != null) {
            held().takeAll();
            lease = null;
        }
    }

    @Override
    public void close() {
        if (lease != null) {
            store.leases().releaseAll(held().takeAll(), budget());
        }
    }
}
