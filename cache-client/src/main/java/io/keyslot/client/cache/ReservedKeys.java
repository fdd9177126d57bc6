// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.entry.Leases.Outcome;
import io.keyslot.client.entry.Leases.Place;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of entries for a writer that is about to be called, one writer of all processes at a time.
 * <ul>
 * <li>The written value is stored while the reservation lasts. If the reservation has ended before, it is unknown whose
 * value the database has, and the entry is removed, so that the next read loads it.
 * <li>Reservations are renewed until this is closed, which gives back those of unchanged entries.
 * <li>A call that waits for an entry holds no reservation behind it in the order of the keys, so calls do not deadlock.
 * </ul>
 *
 * <p>For use by one thread.
 */
final class ReservedKeys<V> implements AutoCloseable {
    private final CacheCalls<?> calls;
    private final EntryStore<V> store;
    private final Supplier<Contention> contentions;
    private final String operation;
    private final Map<EncodedKey, Place<V>> places = new HashMap<>();

    private final LeaseRenewals.Held held;
    private final CallScope scope;
    private CallBudget budget;

    ReservedKeys(
            CacheCalls<?> calls,
            EntryStore<V> store,
            LeaseRenewals.Held held,
            Supplier<Contention> contentions,
            String operation,
            CallBudget budget) {
        this.calls = calls;
        this.store = store;
        this.contentions = contentions;
        this.operation = operation;
        this.budget = budget;
        this.held = held;
        this.scope = CallScope.enter(this);
    }

    /** Throws {@code IllegalStateException} if a re-entrant call would wait for a reservation of its outer call. */
    static void requireOthers(CacheCalls<?> calls, String operation, EncodedKey key) {
        if (CallScope.isWithin(scope -> scope instanceof ReservedKeys<?> places && places.isHeld(key, calls))) {
            throw calls.failures().ofReentrantCall(operation);
        }
    }

    @SuppressWarnings("ReferenceEquality") // each cache has its own
    private boolean isHeld(EncodedKey key, CacheCalls<?> ofCache) {
        Place<V> place = calls == ofCache ? places.get(key) : null;
        return place != null && place.isTaken();
    }

    /** Reserves entries in any state, waiting for other writers. {@link #of} returns the failures. */
    void takeAny(List<EncodedKey> wanted) {
        List<EncodedKey> keys = wanted.stream()
                .distinct()
                .sorted(Comparator.comparing(EncodedKey::text))
                .toList();
        Contention contention = contentions.get();
        List<EncodedKey> busy = reserve(keys, Command.Reserve.ANY);
        while (!busy.isEmpty()) {
            busy.forEach(key -> requireOthers(calls, operation, key));
            EncodedKey first = busy.get(0);
            List<EncodedKey> behind = keys.subList(keys.indexOf(first) + 1, keys.size());
            store.leases().releaseAll(held.take(behind), budget); // the waiting calls may block this one
            boolean isTaken = await(first, contention);
            busy = reserve(behind.stream().filter(key -> !isFailed(key)).toList(), Command.Reserve.ANY);
            if (!isTaken) {
                KeyslotException failure = contention.failure(operation);
                busy.forEach(key -> places.put(key, Place.busy(key, failure)));
                return;
            }
        }
    }

    /** Reserves an entry if it has the expected stamp, {@link Command#ABSENT} for no entry. */
    void takeExpected(EncodedKey key, long expected) {
        reserve(List.of(key), expected);
    }

    /** Waits for an entry that another writer has reserved; returns whether this succeeded. */
    private boolean await(EncodedKey key, Contention contention) {
        while (contention.lost() && contention.pause()) {
            budget = calls.budgetFor(operation, places.size()); // waiting does not use up the call's time
            if (reserve(List.of(key), Command.Reserve.ANY).isEmpty()) {
                return true;
            }
        }
        places.put(key, Place.busy(key, contention.failure(operation)));
        return false;
    }

    private boolean isFailed(EncodedKey key) {
        Place<V> place = places.get(key);
        return place != null && place.failure() != null;
    }

    private List<EncodedKey> reserve(List<EncodedKey> keys, long expected) {
        if (keys.isEmpty()) {
            return List.of();
        }
        List<EncodedKey> busy = new ArrayList<>();
        for (Place<V> place : store.leases().reserveAll(keys, expected, budget)) {
            places.put(place.key(), place);
            if (place.lease() != null) {
                held.add(place.lease());
            } else if (place.outcome() == Outcome.BUSY) {
                busy.add(place.key());
            }
        }
        return busy;
    }

    Place<V> of(EncodedKey key) {
        return Objects.requireNonNull(places.get(key));
    }

    /** A change of a reserved entry: a removal if the envelope is null, with the old expiry if it is unchanged. */
    record Change(EncodedKey key, @Nullable Envelope envelope, Expiry expiry) {}

    /**
     * Changes entries as the writer has changed the database, and removes those that cannot be stored. Returns the
     * failures of entries for which neither succeeded, or null, in the order of the changes.
     */
    List<@Nullable KeyslotException> change(List<Change> changes) {
        held.endRenewals();
        List<Command.CompareAndSet> stores = new ArrayList<>();
        List<EncodedKey> removals = new ArrayList<>();
        for (Change change : changes) {
            Lease.OfWriter taken = Objects.requireNonNull(of(change.key()).lease());
            held.drop(change.key()); // the change ends it
            Envelope envelope = change.envelope();
            if (envelope == null) {
                removals.add(change.key());
            } else {
                Expiry expiry = change.expiry().isUnchanged() ? taken.rest(calls.ticker()) : change.expiry();
                stores.add(new Command.CompareAndSet(change.key(), taken.stamp(), envelope, expiry));
            }
        }
        List<Boolean> stored = stores.isEmpty() ? List.of() : store.setAll(stores, budget);
        for (int i = 0; i < stores.size(); i++) {
            if (!stored.get(i)) {
                removals.add(stores.get(i).key());
            }
        }
        Map<EncodedKey, @Nullable KeyslotException> problems = removed(removals);
        List<@Nullable KeyslotException> all = new ArrayList<>(changes.size());
        changes.forEach(change -> all.add(problems.get(change.key())));
        return all;
    }

    /** Removes entries; returns the failure of each, or null. */
    private Map<EncodedKey, @Nullable KeyslotException> removed(List<EncodedKey> removals) {
        Map<EncodedKey, @Nullable KeyslotException> problems = new HashMap<>();
        if (!removals.isEmpty()) {
            List<@Nullable KeyslotException> removed = store.removeAll(removals, budget);
            for (int i = 0; i < removals.size(); i++) {
                problems.put(removals.get(i), removed.get(i));
            }
        }
        return problems;
    }

    @Override
    public void close() {
        scope.close();
        store.leases().releaseAll(held.takeAll(), budget);
    }
}
