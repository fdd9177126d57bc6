// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.jcache.Leases.Outcome;
import io.keyslot.client.jcache.Leases.Place;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries whose writer is called before the cache, always in this order:
 * <ol>
 * <li>The entry is reserved, so that no other writer of any process works on database and cache meanwhile. If this
 * fails, nothing was done.
 * <li>The writer is called. If it fails, the reservation is given back, with the entry as it was.
 * <li>The entry is changed, or removed if that fails. If that fails as well, the call never reports the change as not
 * done.
 * </ol>
 */
record WriteThroughUpdate<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        LeaseRenewals renewals,
        Supplier<Contention> contentions,
        WriteThrough<K, V> writer,
        EventPublisher<K, V> publisher,
        Lifetimes lifetimes) {
    /** A requested change of an entry; {@code value} is null for a removal. */
    record EntryChange<K, V>(
            K key, EncodedKey encoded, @Nullable V value, ExpiryRules expiry) {}

    /**
     * Changes an entry in any state; returns the old entry. With {@code goesOn}, the call succeeds without the
     * partition.
     */
    Answer<V> change(String operation, EntryChange<K, V> change, boolean goesOn) {
        if (change.value() != null) {
            // A value over a limit is refused before any wait.
            store.coder().encode(change.encoded(), change.value(), 0);
        }
        try (KeyedQueues.Standing turn = publisher.queues().enter(change.encoded());
                Call call = new Call(operation, goesOn, calls.budget(operation))) {
            call.reserve(List.of(change.encoded()));
            return call.changeAlone(change);
        }
    }

    /** Changes an entry if it has the expected stamp; returns whether it had. Otherwise, the writer was not called. */
    boolean changeExpected(String operation, EntryChange<K, V> change, long expected, CallBudget budget) {
        try (Call call = new Call(operation, false, budget)) {
            List<EncodedKey> unused = call.reserve(List.of(change.encoded()), expected);
            Place<V> place = call.placeOf(change.encoded());
            if (!place.isTaken() && place.failure() == null) {
                return false;
            }
            Answer<V> unusedBefore = call.changeAlone(change);
            return true;
        }
    }

    /** Changes different entries: only puts or only removals. */
    BulkOutcome<K> changeAll(String operation, List<EntryChange<K, V>> changes, boolean goesOn) {
        List<EncodedKey> keys = changes.stream().map(EntryChange::encoded).toList();
        try (KeyedQueues.Standing turn =
                        publisher.hasListeners() ? publisher.queues().enter(keys) : null;
                Call call = new Call(operation, goesOn, calls.budgetFor(operation, keys.size()))) {
            call.reserve(keys);
            return call.changeAll(changes);
        }
    }

    /** Throws {@code IllegalStateException} if a re-entrant call would wait for a reservation of its outer call. */
    void requireOthers(String operation, EncodedKey key) {
        if (CallScope.isWithin(scope ->
                scope instanceof WriteThroughUpdate<?, ?>.Call call && call.holds(key, calls))) {
            throw calls.failures().ofReentrantCall(operation);
        }
    }

    /**
     * A planned change. Its envelope is null for a removal; a value that expires at once is never visible, so nothing is
     * created, and an existing entry is removed.
     */
    private record Plan<K, V>(
            EntryChange<K, V> wanted,
            Place<V> place,
            @Nullable Envelope envelope,
            Expiry expiry) {
        boolean removes() {
            return wanted.value() == null && place.before().isPresent();
        }
    }

    /**
     * A call with its reservations, one writer of all processes at a time for each entry.
     * <ul>
     * <li>The written value is stored while the reservation lasts. If the reservation has ended before, it is unknown
     * whose value the database has, and the entry is removed, so that the next read loads it.
     * <li>Reservations are renewed until the entries are changed or this is closed, which gives back those of unchanged
     * entries.
     * <li>A call that waits for an entry holds no reservation behind it in the order of the keys, so calls do not
     * deadlock.
     * </ul>
     *
     * <p>For use by one thread.
     */
    private final class Call implements AutoCloseable {
        private final String operation;
        private final boolean goesOn;
        private final Map<EncodedKey, Place<V>> places = new HashMap<>();
        private final LeaseRenewals.Held held = renewals.hold();
        private final BulkOutcome<K> outcome = new BulkOutcome<>();
        private final CallScope scope;
        private CallBudget budget;

        Call(String operation, boolean goesOn, CallBudget budget) {
            this.operation = operation;
            this.goesOn = goesOn;
            this.budget = budget;
            this.scope = CallScope.enter(this);
        }

        @SuppressWarnings("ReferenceEquality") // each cache has its own
        private boolean holds(EncodedKey key, CacheCalls<?> ofCache) {
            Place<V> place = calls == ofCache ? places.get(key) : null;
            return place != null && place.isTaken();
        }

        Place<V> placeOf(EncodedKey key) {
            return Objects.requireNonNull(places.get(key));
        }

        /** Reserves entries in any state, waiting for other writers. {@link #placeOf} returns the failures. */
        void reserve(List<EncodedKey> wanted) {
            List<EncodedKey> keys = wanted.stream()
                    .distinct()
                    .sorted(Comparator.comparing(EncodedKey::text))
                    .toList();
            Contention contention = contentions.get();
            List<EncodedKey> busy = reserve(keys, Command.Reserve.ANY);
            while (!busy.isEmpty()) {
                busy.forEach(key -> requireOthers(operation, key));
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

        /** Reserves entries with this stamp; returns those that are reserved for other writers. */
        List<EncodedKey> reserve(List<EncodedKey> keys, long expected) {
            List<EncodedKey> busy = new ArrayList<>();
            if (keys.isEmpty()) {
                return busy;
            }
            store.calls().changing(keys);
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

        Answer<V> changeAlone(EntryChange<K, V> wanted) {
            List<Plan<K, V>> plans = plan(List.of(wanted));
            if (!plans.isEmpty()) {
                writer.write(wanted.key(), wanted.value());
                List<Plan<K, V>> unused = finish(plans);
            }
            outcome.throwOnly();
            return placeOf(wanted.encoded()).before();
        }

        BulkOutcome<K> changeAll(List<EntryChange<K, V>> wanted) {
            List<Plan<K, V>> plans = plan(wanted);
            if (!plans.isEmpty()) {
                WriteThrough.Written<K> written = written(plans);
                outcome.writerFailed(written.failure());
                List<Plan<K, V>> made = finish(plans.stream()
                        .filter(plan -> written.done().contains(plan.wanted().key()))
                        .toList());
                publisher
                        .counters()
                        .removals(made.stream().filter(Plan::removes).count());
            }
            return outcome;
        }

        private WriteThrough.Written<K> written(List<Plan<K, V>> plans) {
            Map<K, V> values = new LinkedHashMap<>();
            Set<K> removals = new LinkedHashSet<>();
            for (Plan<K, V> plan : plans) {
                if (plan.wanted().value() == null) {
                    removals.add(plan.wanted().key());
                } else {
                    values.put(plan.wanted().key(), plan.wanted().value());
                }
            }
            return values.isEmpty() ? writer.deleteAll(removals) : writer.writeAll(values);
        }

        /**
         * Returns the changes for which the writer is called. Of the others, only a partition that does not answer can be
         * skipped: not if the thread was interrupted, if the partition refuses for good, or if another writer may be
         * working.
         */
        private List<Plan<K, V>> plan(List<EntryChange<K, V>> wanted) {
            List<Plan<K, V>> plans = new ArrayList<>(wanted.size());
            for (EntryChange<K, V> change : wanted) {
                Place<V> place = placeOf(change.encoded());
                KeyslotException failure = place.failure();
                if (failure != null
                        && !(goesOn && place.outcome() != Outcome.CONTENDED && Failures.isOutage(failure))) {
                    outcome.add(change.key(), failure);
                } else {
                    plans.add(planned(change, place));
                }
            }
            return plans;
        }

        private Plan<K, V> planned(EntryChange<K, V> wanted, Place<V> place) {
            V value = wanted.value();
            if (value == null) {
                return new Plan<>(wanted, place, null, Expiry.UNCHANGED);
            }
            Answer<V> before = place.before();
            Optional<Expiry> expiry = wanted.expiry().onChange(before.isPresent());
            long freshUntil =
                    expiry.map(lasting -> lifetimes.freshUntil(lasting, before)).orElse(0L);
            Envelope envelope = store.coder().encode(place.key(), value, freshUntil);
            return expiry.isEmpty()
                    ? new Plan<>(wanted, place, null, Expiry.UNCHANGED)
                    : new Plan<>(wanted, place, envelope, lifetimes.kept(expiry.get()));
        }

        /** Changes the entries as the writer has changed the database; returns the changes that were made. */
        private List<Plan<K, V>> finish(List<Plan<K, V>> written) {
            store.calls()
                    .changing(written.stream().map(plan -> plan.place().key()).toList());
            Map<EncodedKey, @Nullable KeyslotException> problems = store(written);
            List<Plan<K, V>> made = new ArrayList<>(written.size());
            List<EncodedKey> outdated = new ArrayList<>();
            for (Plan<K, V> plan : written) {
                KeyslotException problem = problems.get(plan.place().key());
                if (plan.place().isTaken() && problem == null) {
                    made.add(plan);
                    continue;
                }
                outdated.add(plan.place().key());
                if (problem != null && !(goesOn && Failures.isOutage(problem))) {
                    outcome.add(plan.wanted().key(), calls.failures().ofWritten(operation, problem));
                }
            }
            store.forget(outdated);
            made.forEach(plan -> outcome.attempt(plan.wanted().key(), () -> publish(plan)));
            return made;
        }

        /**
         * Changes the reserved entries, and removes those that cannot be stored. Returns the failures of entries for which
         * neither succeeded.
         */
        private Map<EncodedKey, @Nullable KeyslotException> store(List<Plan<K, V>> plans) {
            held.endRenewals();
            List<Command.CompareAndSet> stores = new ArrayList<>();
            List<EncodedKey> removals = new ArrayList<>();
            for (Plan<K, V> plan : plans) {
                EncodedKey key = plan.place().key();
                Lease.OfWriter lease = plan.place().lease();
                Envelope envelope = plan.envelope();
                if (lease == null) {
                    continue;
                }
                held.drop(key); // the change ends it
                if (envelope == null) {
                    removals.add(key);
                } else {
                    Expiry expiry = plan.expiry().isUnchanged() ? lease.rest(calls.ticker()) : plan.expiry();
                    stores.add(new Command.CompareAndSet(key, lease.stamp(), envelope, expiry));
                }
            }
            List<Boolean> stored = stores.isEmpty() ? List.of() : store.setAll(stores, budget);
            for (int i = 0; i < stores.size(); i++) {
                if (!stored.get(i)) {
                    removals.add(stores.get(i).key());
                }
            }
            Map<EncodedKey, @Nullable KeyslotException> problems = new HashMap<>();
            if (!removals.isEmpty()) {
                List<@Nullable KeyslotException> removed = store.removeAll(removals, budget);
                for (int i = 0; i < removals.size(); i++) {
                    problems.put(removals.get(i), removed.get(i));
                }
            }
            return problems;
        }

        private void publish(Plan<K, V> plan) {
            V value = plan.wanted().value();
            Answer<V> before = plan.place().before();
            if (value == null) {
                publisher.removed(plan.wanted().key(), before);
            } else if (plan.envelope() != null) {
                publisher.put(plan.wanted().key(), value, before);
            }
        }

        @Override
        public void close() {
            scope.close();
            store.leases().releaseAll(held.takeAll(), budget);
        }
    }
}
