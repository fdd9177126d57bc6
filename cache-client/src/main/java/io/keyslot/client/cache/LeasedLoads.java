// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.cache.BoundedLoader.Loaded;
import io.keyslot.client.cache.SingleFlights.LoadResult;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Loads entries under leases: takes leases for all entries at once, and calls the loader once for those that it got. So
 * only one of many processes loads an entry. A change of the entry ends the lease; then the value is returned, but not
 * stored. Waits only for partitions and the loader. Thread-safe.
 */
public record LeasedLoads<K, V>(
        EntryStore<V> store,
        SingleFlights<V> flights,
        LeaseRenewals renewals,
        BoundedLoader<K, V> loader,
        LoadedEntries<K, V> entries,
        ReadPolicy policy) {
    /** Ends the loads whose results are known or can be loaded now; other processes are loading the remaining ones. */
    void attempt(List<Load<K, V>> loads, Load.Call call) {
        attemptOnce(loads, call);
        List<Load<K, V>> known = loads.stream().filter(LeasedLoads::isKnown).toList();
        if (!known.isEmpty()) {
            attemptOnce(known, call.again());
        }
    }

    private static boolean isKnown(Load<?, ?> load) {
        return !load.isOver()
                && switch (load.seen().kind()) {
                    case FRESH, NEGATIVE, UNKNOWN -> true;
                    case STALE, ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> false;
                };
    }

    private void attemptOnce(List<Load<K, V>> loads, Load.Call call) {
        try (LeaseBatch<K, V> leaseBatch = new LeaseBatch<>(store, renewals, call.budget())) {
            List<Load<K, V>> missing = new ArrayList<>();
            List<Load<K, V>> without = new ArrayList<>();
            List<Load<K, V>> stale = new ArrayList<>();
            List<Load<K, V>> others = new ArrayList<>();
            for (Load<K, V> load : loads) {
                switch (load.seen().knownOrMissing().kind()) {
                    case FRESH, NEGATIVE -> {
                        if (!call.replaces()) {
                            end(load, LoadResult.of(load.seen().value()), call);
                        } else if (load.seen().isPresent()) {
                            leaseBatch.add(Load.Grant.replacing(load, load.cause()));
                        } else {
                            without.add(load);
                        }
                    }
                    case UNKNOWN -> goWithoutPartition(load, leaseBatch, call);
                    case STALE -> (policy.isClaimed(load.seen()) ? others : stale).add(load);
                    case ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> missing.add(load);
                }
            }
            others.addAll(leaseBatch.takeOver(without));
            others.addAll(leaseBatch.claim(stale, LoadCause.EXPIRED));
            look(others, call.budget());
            leaseBatch.take(missing);
            load(leaseBatch, call);
        }
    }

    private void goWithoutPartition(Load<K, V> load, LeaseBatch<K, V> leaseBatch, Load.Call call) {
        switch (policy.missingPartition()) {
            case LOADER -> leaseBatch.add(Load.Grant.unguarded(load, LoadCause.MISSING_PARTITION));
            case MISS -> end(load, LoadResult.of(null), call);
            case FAIL ->
                end(load, LoadResult.failed(Objects.requireNonNull(load.seen().failure())), call);
        }
    }

    /** Loads values that other processes may be loading as well; they are returned, but not stored. */
    void loadUnguarded(List<Load<K, V>> loads, Load.Call call) {
        try (LeaseBatch<K, V> leaseBatch = new LeaseBatch<>(store, renewals, call.budget())) {
            loads.forEach(load -> leaseBatch.add(Load.Grant.unguarded(load, load.cause())));
            load(leaseBatch, call);
        }
    }

    /**
     * Reloads an entry unless another process does. A fresh one stays meanwhile; after a failure, a later read tries
     * again.
     */
    void refresh(Load<K, V> load, CallBudget budget) {
        try (LeaseBatch<K, V> leaseBatch = new LeaseBatch<>(store, renewals, budget)) {
            if (load.seen().isPresent()) {
                leaseBatch.add(Load.Grant.replacing(load, LoadCause.REFRESH));
            } else {
                leaseBatch.claim(List.of(load), LoadCause.REFRESH);
            }
            load(leaseBatch, Load.Call.get(budget));
        }
    }

    void look(List<Load<K, V>> loads, CallBudget budget) {
        loads.forEach(load -> load.flight.begin(0)); // results from now on do not answer later reads
        List<EncodedKey> keys = loads.stream().map(load -> load.encoded).toList();
        List<Answer<V>> answers = keys.isEmpty() ? List.of() : store.getAll(keys, budget);
        for (int i = 0; i < keys.size(); i++) {
            loads.get(i).sees(answers.get(i));
        }
    }

    private void load(LeaseBatch<K, V> leaseBatch, Load.Call call) {
        List<Load.Grant<K, V>> granted = leaseBatch.granted();
        if (granted.isEmpty()) {
            return;
        }
        granted.forEach(grant -> grant.load().flight.begin(grant.stamp()));
        Map<K, Loaded<V>> loaded;
        try {
            loaded = ask(granted, call);
        } catch (CallInterruptedException e) {
            throw e; // concerns only this thread
        } catch (RuntimeException e) {
            leaseBatch.release(); // first, as a reader of the failure may load at once
            granted.forEach(grant -> end(grant.load(), LoadResult.failed(e), call));
            return;
        }
        try (CallScope storing = loader.enter(keysOf(granted))) {
            entries.store(granted, loaded, call.budget());
        } finally {
            // A failure of a store or a listener concerns only this thread.
            leaseBatch.used();
            granted.forEach(grant -> {
                Loaded<V> found = loaded.get(grant.key());
                end(grant.load(), LoadResult.of(found == null ? null : found.value()), call);
            });
        }
    }

    private Map<K, Loaded<V>> ask(List<Load.Grant<K, V>> granted, Load.Call call) {
        LoadCause gravest =
                Collections.max(granted.stream().map(Load.Grant::cause).toList()); // one call of the loader counts once
        if (call.isBulk()) {
            return loader.loadAll(keysOf(granted), gravest);
        }
        K key = granted.get(0).key();
        Loaded<V> loaded = loader.load(key, gravest);
        return loaded == null ? Map.of() : Map.of(key, loaded);
    }

    private static <K> Set<K> keysOf(List<? extends Load.Grant<K, ?>> granted) {
        Set<K> keys = new LinkedHashSet<>();
        granted.forEach(grant -> keys.add(grant.key()));
        return keys;
    }

    private void end(Load<K, V> load, LoadResult<V> result, Load.Call call) {
        load.end(result);
        load.flight.spent(call.spent());
        flights.end(load.encoded, load.flight, result);
    }

    public boolean isReadThrough() {
        return policy.isReadThrough();
    }

    public ProcessorLoad<K, V> ofProcessor(K key, EncodedKey encoded) {
        return new ProcessorLoad<>(store, renewals, loader, key, encoded);
    }

    /** The grants and leases for one call of the loader. Closing it releases unused leases. For use by one thread. */
    private static final class LeaseBatch<K, V> implements AutoCloseable {
        private final EntryStore<V> store;
        private final CallBudget budget;
        private final LeaseRenewals.Held held;
        private final List<Load.Grant<K, V>> granted = new ArrayList<>();

        LeaseBatch(EntryStore<V> store, LeaseRenewals renewals, CallBudget budget) {
            this.store = store;
            this.budget = budget;
            this.held = renewals.hold();
        }

        List<Load.Grant<K, V>> granted() {
            return granted;
        }

        void add(Load.Grant<K, V> grant) {
            granted.add(grant);
        }

        /** Takes leases on missing entries, unless others hold them. */
        void take(List<Load<K, V>> loads) {
            List<Lease.OfMissing> leases = leasesOf(loads);
            List<Answer<V>> answers = store.leases().takeAll(leases, budget);
            for (int i = 0; i < leases.size(); i++) {
                Load<K, V> load = loads.get(i);
                Answer<V> now = answers.get(i).knownOrMissing();
                if (now.leaseStamp() == leases.get(i).stamp()) {
                    held.add(leases.get(i));
                    add(Load.Grant.under(leases.get(i), load, load.cause()));
                } else if (now.kind() == Answer.Kind.UNKNOWN) {
                    add(Load.Grant.unguarded(load, LoadCause.MISSING_PARTITION)); // the value is read and not stored
                } else if (now.kind() == Answer.Kind.UNREADABLE) {
                    add(Load.Grant.unguarded(load, load.cause())); // a newer format, which must not be replaced
                } else {
                    load.sees(now);
                }
            }
        }

        /** Takes leases on entries that are known to have no value, replacing other leases; returns the other loads. */
        List<Load<K, V>> takeOver(List<Load<K, V>> loads) {
            List<Lease.OfMissing> leases = leasesOf(loads);
            return addTaken(loads, leases, store.leases().takeOverAll(leases, budget), LoadCause.MISS);
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
                    add(Load.Grant.under(leases.get(i), loads.get(i), cause));
                } else {
                    others.add(loads.get(i));
                }
            }
            return others;
        }

        private List<Lease.OfMissing> leasesOf(List<Load<K, V>> loads) {
            loads.forEach(load -> load.flight.begin(0)); // results from now on do not answer later reads
            return loads.stream()
                    .map(load -> store.leases().ofMissing(load.encoded))
                    .toList();
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
}
