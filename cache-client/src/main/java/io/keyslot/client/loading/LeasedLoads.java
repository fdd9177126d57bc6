// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
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
import org.jspecify.annotations.Nullable;

/**
 * Loads entries under leases: takes leases for all entries at once, and calls the loader once for those that it got. So
 * only one of many processes loads an entry. A change of the entry ends the lease; then the value is returned, but not
 * stored. Waits only for partitions and the loader. Thread-safe.
 */
public final class LeasedLoads<K, V> {
    private final EntryStore<V> store;
    private final SingleFlights<V> flights;
    private final LeaseRenewals renewals;
    private final BoundedLoader<K, V> loader;
    private final LoadedEntries<K, V> entries;
    private final ReadPolicy policy;

    public LeasedLoads(
            EntryStore<V> store,
            SingleFlights<V> flights,
            LeaseRenewals renewals,
            BoundedLoader<K, V> loader,
            LoadedEntries<K, V> entries,
            ReadPolicy policy) {
        this.store = store;
        this.flights = flights;
        this.renewals = renewals;
        this.loader = loader;
        this.entries = entries;
        this.policy = policy;
    }

    /** Ends the loads whose results are known or can be loaded now; other processes are loading the remaining ones. */
    void attempt(List<Load<K, V>> loads, LoadCall call) {
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

    private void attemptOnce(List<Load<K, V>> loads, LoadCall call) {
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
                            leaseBatch.add(Grant.replacing(load, load.cause()));
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

    private void goWithoutPartition(Load<K, V> load, LeaseBatch<K, V> leaseBatch, LoadCall call) {
        switch (policy.missingPartition()) {
            case LOADER -> leaseBatch.add(Grant.unguarded(load, LoadCause.MISSING_PARTITION));
            case MISS -> end(load, LoadResult.of(null), call);
            case FAIL ->
                end(load, LoadResult.failed(Objects.requireNonNull(load.seen().failure())), call);
        }
    }

    /** Loads values that other processes may be loading as well; they are returned, but not stored. */
    void loadUnguarded(List<Load<K, V>> loads, LoadCall call) {
        try (LeaseBatch<K, V> leaseBatch = new LeaseBatch<>(store, renewals, call.budget())) {
            loads.forEach(load -> leaseBatch.add(Grant.unguarded(load, load.cause())));
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
                leaseBatch.add(Grant.replacing(load, LoadCause.REFRESH));
            } else {
                leaseBatch.claim(List.of(load), LoadCause.REFRESH);
            }
            load(leaseBatch, LoadCall.get(budget));
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

    private void load(LeaseBatch<K, V> leaseBatch, LoadCall call) {
        List<Grant<K, V>> granted = leaseBatch.granted();
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
            granted.forEach(grant -> end(grant.load(), LoadResult.of(valueOf(loaded.get(grant.key()))), call));
        }
    }

    private Map<K, Loaded<V>> ask(List<Grant<K, V>> granted, LoadCall call) {
        LoadCause gravest =
                Collections.max(granted.stream().map(Grant::cause).toList()); // one call of the loader counts once
        if (call.isBulk()) {
            return loader.loadAll(keysOf(granted), gravest);
        }
        K key = granted.get(0).key();
        Loaded<V> loaded = loader.load(key, gravest);
        return loaded == null ? Map.of() : Map.of(key, loaded);
    }

    private static <K> Set<K> keysOf(List<? extends Grant<K, ?>> granted) {
        Set<K> keys = new LinkedHashSet<>();
        granted.forEach(grant -> keys.add(grant.key()));
        return keys;
    }

    private static <V> @Nullable V valueOf(@Nullable Loaded<V> loaded) {
        return loaded == null ? null : loaded.value();
    }

    private void end(Load<K, V> load, LoadResult<V> result, LoadCall call) {
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
}
