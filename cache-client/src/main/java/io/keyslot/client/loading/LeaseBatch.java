// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.HeldLeases;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.util.ArrayList;
import java.util.List;

/** The grants and leases for one call of the loader. Closing it releases unused leases. For use by one thread. */
final class LeaseBatch<K, V> implements AutoCloseable {
    private final EntryStore<V> store;
    private final CallBudget budget;
    private final HeldLeases held;
    private final List<Grant<K, V>> granted = new ArrayList<>();

    LeaseBatch(EntryStore<V> store, LeaseRenewals renewals, CallBudget budget) {
        this.store = store;
        this.budget = budget;
        this.held = new HeldLeases(renewals);
    }

    List<Grant<K, V>> granted() {
        return granted;
    }

    void add(Grant<K, V> grant) {
        granted.add(grant);
    }

    /** Takes leases on missing entries, unless others hold them. */
    void take(List<Load<K, V>> loads) {
        List<Load<K, V>> admitted = admitted(loads);
        List<Lease.OfMissing> leases = leasesOf(admitted);
        List<Answer<V>> answers = store.leases().takeAll(leases, budget);
        for (int i = 0; i < leases.size(); i++) {
            Load<K, V> load = admitted.get(i);
            Answer<V> now = answers.get(i).knownOrMissing();
            if (now.leaseStamp() == leases.get(i).stamp()) {
                held.add(leases.get(i));
                add(Grant.under(leases.get(i), load, load.cause()));
            } else if (now.kind() == Answer.Kind.UNKNOWN) {
                add(Grant.unguarded(load, LoadCause.MISSING_PARTITION)); // the value is read and not stored
            } else if (now.kind() == Answer.Kind.UNREADABLE) {
                add(Grant.unguarded(load, load.cause())); // a newer format, which must not be replaced
            } else {
                load.sees(now);
            }
        }
    }

    /** Takes leases on entries that are known to have no value, replacing other leases; returns the other loads. */
    List<Load<K, V>> takeOver(List<Load<K, V>> loads) {
        List<Load<K, V>> admitted = admitted(loads);
        List<Lease.OfMissing> leases = leasesOf(admitted);
        return addTaken(admitted, leases, store.leases().takeOverAll(leases, budget), LoadCause.MISS);
    }

    /** Takes leases on stale entries; returns the loads without one. */
    List<Load<K, V>> claim(List<Load<K, V>> loads, LoadCause cause) {
        List<Lease.OfStale> leases = loads.stream()
                .map(load -> store.leases().ofStale(load.encoded, load.seen()))
                .toList();
        return addTaken(loads, leases, store.leases().claimAll(leases, budget), cause);
    }

    private List<Load<K, V>> addTaken(
            List<Load<K, V>> loads, List<? extends Lease> leases, List<Boolean> taken, LoadCause cause) {
        List<Load<K, V>> others = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            if (taken.get(i)) {
                held.add(leases.get(i));
                add(Grant.under(leases.get(i), loads.get(i), cause));
            } else {
                others.add(loads.get(i));
            }
        }
        return others;
    }

    private List<Lease.OfMissing> leasesOf(List<Load<K, V>> loads) {
        return loads.stream()
                .map(load -> store.leases().ofMissing(load.encoded))
                .toList();
    }

    /** Returns the loads whose values may be stored now. A partition that has just come back gets few at a time. */
    private List<Load<K, V>> admitted(List<Load<K, V>> loads) {
        List<Load<K, V>> admitted = new ArrayList<>(loads.size());
        for (Load<K, V> load : loads) {
            load.flight.begin(0); // results from now on do not answer later reads
            if (store.admitsLoad(load.encoded)) {
                admitted.add(load);
            } else {
                add(Grant.unguarded(load, load.cause()));
            }
        }
        return admitted;
    }

    /** Drops the leases, which stored values have replaced. */
    void used() {
        held.takeAll();
    }

    void release() {
        store.leases().releaseAll(held.takeAll(), budget);
    }

    @Override
    public void close() {
        release();
    }
}
