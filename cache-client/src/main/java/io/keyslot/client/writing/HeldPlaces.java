// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.call.Contention;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryReservations.Reserved;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The places of entries whose writer is about to be asked, reserved before it is: by one writer of all processes at a time.
 *
 * <ul>
 *   <li>What the writer has written is stored in the place while the reservation lasts. If it has ended before, nobody here
 *       knows whose value the database has now, and the entry is removed, so that the next read asks it.
 *   <li>PlaceReservations are renewed for as long as this is open. Those in whose places nothing was changed are given back when
 *       it is closed, and the entries are as before.
 *   <li>Who waits for a place holds none that is behind it in the order of the keys: so no two calls wait for each other.
 * </ul>
 *
 * <p>For use by one thread.
 *
 * @param <V> the type of the values
 */
final class HeldPlaces<V> implements AutoCloseable {
    private final CacheCalls<?> calls;
    private final EntryStore<V> store;
    private final Contentions contentions;
    private final String operation;
    private final Map<EncodedKey, Place<V>> places = new HashMap<>();

    /** The reservations that last; a timer reads them. */
    private final ConcurrentMap<EncodedKey, Taken> lasting = new ConcurrentHashMap<>();

    private final LeaseRenewals.Held held;
    private CallBudget budget;

    HeldPlaces(
            CacheCalls<?> calls,
            EntryStore<V> store,
            LeaseRenewals leases,
            Contentions contentions,
            String operation,
            CallBudget budget) {
        this.calls = calls;
        this.store = store;
        this.contentions = contentions;
        this.operation = operation;
        this.budget = budget;
        this.held = leases.holdAll(this::renewals);
    }

    /**
     * What came of reserving a place.
     *
     * @param before what was there; a failure if that is not known
     * @param taken the reservation, null if there is none
     * @param failure why there is none, null if there is one or something else was there than expected
     * @param isContended whether others had it for too long
     */
    record Place<V>(
            EncodedKey key,
            Answer<V> before,
            @Nullable Taken taken,
            @Nullable KeyslotException failure,
            boolean isContended) {
        boolean isTaken() {
            return taken != null;
        }
    }

    /**
     * A reservation.
     *
     * @param isLasting whether the entry does not expire, or is none
     * @param endNanos when the entry would have expired if it does
     */
    record Taken(EncodedKey key, long stamp, boolean isLasting, long endNanos) {
        /** Returns when the entry is to expire that would not have been changed. */
        Expiry rest(long nowNanos) {
            return isLasting ? Expiry.NEVER : Expiry.afterMillis(millisLeft(nowNanos));
        }

        private long millisLeft(long nowNanos) {
            return Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - nowNanos));
        }

        Command.CompareAndExpire renewal(long nowNanos) {
            long most = LeaseRenewals.TIME_TO_LIVE.toMillis();
            long lasts = isLasting ? most : Math.min(most, millisLeft(nowNanos));
            return new Command.CompareAndExpire(key, stamp, Expiry.afterMillis(lasts));
        }
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
            EncodedKey first = busy.get(0);
            List<EncodedKey> behind = keys.subList(keys.indexOf(first) + 1, keys.size());
            giveBack(behind); // who waits for them may have what this call waits for
            boolean isTaken = await(first, contention);
            busy = reserve(behind.stream().filter(key -> !isFailed(key)).toList(), Command.Reserve.ANY);
            if (!isTaken) {
                KeyslotException failure = contention.failure(operation);
                busy.forEach(key -> places.put(key, failed(key, failure, true)));
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
        places.put(key, failed(key, contention.failure(operation), true));
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
        List<Command.Reserve> commands = new ArrayList<>(keys.size());
        keys.forEach(key ->
                commands.add(new Command.Reserve(key, expected, newStamp(), LeaseRenewals.TIME_TO_LIVE.toMillis())));
        long start = calls.ticker().nanos();
        List<Reserved<V>> results = store.reservations().takeAll(commands, budget);
        List<EncodedKey> busy = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            EncodedKey key = keys.get(i);
            Reserved<V> result = results.get(i);
            switch (result.outcome()) {
                case TAKEN -> taken(key, commands.get(i).stamp(), result, start);
                case FAILED -> places.put(key, failed(key, Objects.requireNonNull(result.failure()), false));
                case CHANGED -> places.put(key, new Place<>(key, result.before(), null, null, false));
                case BUSY -> {
                    places.put(key, new Place<>(key, result.before(), null, null, false));
                    busy.add(key);
                }
            }
        }
        return busy;
    }

    private long newStamp() {
        long stamp = store.newStamp();
        return stamp == Command.Reserve.ANY ? store.newStamp() : stamp;
    }

    private void taken(EncodedKey key, long stamp, Reserved<V> result, long start) {
        boolean isLasting = result.expiresInMillis() < 0;
        long end = isLasting ? 0 : start + TimeUnit.MILLISECONDS.toNanos(result.expiresInMillis());
        Taken taken = new Taken(key, stamp, isLasting, end);
        lasting.put(key, taken);
        places.put(key, new Place<>(key, result.before(), taken, null, false));
    }

    private static <V> Place<V> failed(EncodedKey key, KeyslotException failure, boolean isContended) {
        return new Place<>(key, Answer.without(Answer.Kind.ABSENT), null, failure, isContended);
    }

    private List<Command.CompareAndExpire> renewals() {
        long now = calls.ticker().nanos();
        return lasting.values().stream().map(taken -> taken.renewal(now)).toList();
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
        held.close();
        List<Command.CompareAndSet> stores = new ArrayList<>();
        List<EncodedKey> removals = new ArrayList<>();
        for (Change change : changes) {
            Taken taken = Objects.requireNonNull(of(change.key()).taken());
            Envelope envelope = change.envelope();
            lasting.remove(change.key()); // it ends by what is done now
            if (envelope == null) {
                removals.add(change.key());
            } else {
                Expiry expiry = change.expiry().isUnchanged()
                        ? taken.rest(calls.ticker().nanos())
                        : change.expiry();
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

    private Map<EncodedKey, @Nullable KeyslotException> removed(List<EncodedKey> keys) {
        Map<EncodedKey, @Nullable KeyslotException> problems = new HashMap<>();
        if (!keys.isEmpty()) {
            List<@Nullable KeyslotException> removed = store.removeAll(keys, budget);
            for (int i = 0; i < keys.size(); i++) {
                problems.put(keys.get(i), removed.get(i));
            }
        }
        return problems;
    }

    private void giveBack(List<EncodedKey> keys) {
        List<Command.GiveBack> backs = new ArrayList<>();
        long now = calls.ticker().nanos();
        for (EncodedKey key : keys) {
            Taken taken = lasting.remove(key);
            if (taken != null) {
                backs.add(new Command.GiveBack(key, taken.stamp(), newStamp(), taken.rest(now)));
            }
        }
        if (!backs.isEmpty()) {
            store.reservations().giveBackAll(backs, budget);
        }
    }

    /** Gives back the places in which nothing was changed. */
    @Override
    public void close() {
        held.close();
        giveBack(List.copyOf(lasting.keySet()));
    }
}
