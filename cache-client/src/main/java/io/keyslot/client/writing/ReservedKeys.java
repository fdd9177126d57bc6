// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryReservations.Outcome;
import io.keyslot.client.entry.EntryReservations.Place;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.HeldLeases;
import io.keyslot.client.entry.Lease;
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
import org.jspecify.annotations.Nullable;

/**
 * The places of entries whose writer is about to be asked, reserved before it is: by one writer of all processes at a time.
 *
 * <ul>
 *   <li>What the writer has written is stored in the place while the reservation lasts. If it has ended before, nobody here
 *       knows whose value the database has now, and the entry is removed, so that the next read asks it.
 *   <li>Reservations are renewed for as long as this is open. Those in whose places nothing was changed are given back when
 *       it is closed, and the entries are as before.
 *   <li>Who waits for a place holds none that is behind it in the order of the keys: so no two calls wait for each other.
 * </ul>
 *
 * <p>For use by one thread.
 *
 * @param <V> the type of the values
 */
final class ReservedKeys<V> implements AutoCloseable {
    private final CacheCalls<?> calls;
    private final EntryStore<V> store;
    private final Contentions contentions;
    private final String operation;
    private final Map<EncodedKey, Place<V>> places = new HashMap<>();

    private final HeldLeases held;
    private final CallScope scope;
    private CallBudget budget;

    ReservedKeys(
            CacheCalls<?> calls,
            EntryStore<V> store,
            HeldLeases held,
            Contentions contentions,
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

    /** Returns whether a place of an entry of this cache is reserved here. */
    @SuppressWarnings("ReferenceEquality") // Each cache has one.
    boolean isHeld(EncodedKey key, Contentions ofCache) {
        Place<V> place = contentions == ofCache ? places.get(key) : null;
        return place != null && place.isTaken();
    }

    /** Reserves places, whatever is there, and waits for other writers. What cannot be had says why. */
    void takeAny(List<EncodedKey> keys) {
        takeAll(keys.stream()
                .distinct()
                .sorted(Comparator.comparing(EncodedKey::text))
                .toList());
    }

    /** Reserves a place if what is there has this stamp, {@link Command#ABSENT} if there must be no entry. */
    void takeExpected(EncodedKey key, long expected) {
        reserve(List.of(key), expected);
    }

    private void takeAll(List<EncodedKey> keys) {
        Contention contention = contentions.begin();
        List<EncodedKey> busy = reserve(keys, Command.Reserve.ANY);
        while (!busy.isEmpty()) {
            busy.forEach(key -> contentions.requireOthers(operation, key));
            EncodedKey first = busy.get(0);
            List<EncodedKey> behind = keys.subList(keys.indexOf(first) + 1, keys.size());
            store.leases()
                    .releaseAll(held.take(behind), budget); // who waits for them may have what this call waits for
            boolean isTaken = await(first, contention);
            busy = reserve(behind.stream().filter(key -> !isFailed(key)).toList(), Command.Reserve.ANY);
            if (!isTaken) {
                KeyslotException failure = contention.failure(operation);
                busy.forEach(key -> places.put(key, Place.busy(key, failure)));
                return;
            }
        }
    }

    /** Waits for a place that another writer has; returns whether it was not in vain. */
    private boolean await(EncodedKey key, Contention contention) {
        while (contention.lost() && contention.pause()) {
            budget = calls.budgetFor(operation, places.size()); // the time of others is not this call's
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

    /** Tries to reserve places; returns those that others have, in their order. */
    private List<EncodedKey> reserve(List<EncodedKey> keys, long expected) {
        if (keys.isEmpty()) {
            return List.of();
        }
        List<EncodedKey> busy = new ArrayList<>();
        for (Place<V> place : store.reservations().takeAll(keys, expected, budget)) {
            places.put(place.key(), place);
            if (place.lease() != null) {
                held.add(place.lease());
            } else if (place.outcome() == Outcome.BUSY) {
                busy.add(place.key());
            }
        }
        return busy;
    }

    /** Returns what came of reserving the place of a key. */
    Place<V> of(EncodedKey key) {
        return Objects.requireNonNull(places.get(key));
    }

    /** Returns what is left of the time of the call for partitions. */
    CallBudget budget() {
        return budget;
    }

    /**
     * What is to be in a place that is taken.
     *
     * @param envelope the entry, null if there is to be none
     * @param expiry when it expires; if that is unchanged, when what was there would have
     */
    record Change(EncodedKey key, @Nullable Envelope envelope, Expiry expiry) {}

    /**
     * Changes entries as the writer has changed the database. What cannot be stored is removed.
     *
     * @return why an entry could be neither, or null, in the order of the changes
     */
    List<@Nullable KeyslotException> change(List<Change> changes) {
        held.endRenewals();
        PlaceChanges<V> made = new PlaceChanges<>(store, calls.ticker());
        for (Change change : changes) {
            Lease.OfWriter taken = Objects.requireNonNull(of(change.key()).lease());
            held.drop(change.key()); // it ends by what is done now
            made.add(change, taken);
        }
        Map<EncodedKey, @Nullable KeyslotException> problems = made.apply(budget);
        List<@Nullable KeyslotException> all = new ArrayList<>(changes.size());
        changes.forEach(change -> all.add(problems.get(change.key())));
        return all;
    }

    /** Gives back the places in which nothing was changed. */
    @Override
    public void close() {
        scope.close();
        store.leases().releaseAll(held.takeAll(), budget);
    }
}
